import assert from "node:assert/strict";
import { test } from "node:test";

import * as races from "../../../../clients/web/state/race.js";
import { after, aRace, move, played, plies, sent } from "./playing.mjs";
import { anEntry, aRoom, aWelcome, aYou, BO, ME } from "./pretend_server.mjs";

const CY = Object.freeze({ id: "p_cy", name: "Cy", kind: "bot" });

test("a room alone shows no game and sends nothing", () => {
  const race = races.fromRoom(aRoom());
  assert.equal(races.shownTable(race), null);
  assert.deepEqual(races.sending(race, 0), { race, frames: [], againAtMs: null });
  assert.equal(races.since(race), undefined);
  assert.equal(races.makeMove(race, "d"), race);
  assert.equal(races.undo(race), race);
});

test("my game is shown as the server has it", () => {
  const { race } = aRace();
  assert.deepEqual(race.shown.table.columns, [["QC"], ["KH"], ["3H"], ["AS"]]);
  assert.deepEqual([race.shown.ply, race.shown.placed, race.shown.score], [0, 1, 0]);
  assert.deepEqual(races.since(race), { epoch: "e1", offset: 10 });
});

test("after a lost connection nothing is sent before my game has come", () => {
  const { race, game } = aRace();
  let now = races.disconnected(played(race, "12", "d"));
  now = races.makeMove(now, "d");
  assert.deepEqual(sent(now)[1], []);
  now = after(now, aWelcome({ recovered: true, room: null }));
  assert.deepEqual(sent(now)[1], []);
  game.take(0, "12"); // this one had arrived
  now = after(now, aYou(), game.view());
  assert.deepEqual(sent(now)[1], [move(1, "d"), move(2, "d")]);
  assert.equal(now.shown.ply, 3);
  assert.equal(now.refused, null);
});

test("a sync under way is forgotten with its connection", () => {
  const { race, game } = aRace();
  game.take(0, "12");
  const [syncing] = sent(after(race, game.take(1, "d")));
  assert.equal(syncing.isSyncing, true);
  const back = after(races.disconnected(syncing), aWelcome());
  assert.deepEqual([back.isSyncing, sent(back)[1]], [false, []]);
});

test("a reload continues the game where it is", () => {
  const { race, game } = aRace();
  game.take(0, "12", 500);
  game.take(1, "rf", 900);
  const now = after(races.fromRoom(race.room), aWelcome(), aYou(), game.view(5000));
  assert.deepEqual([now.shown.ply, now.shown.placed, now.shown.score], [2, 2, 5]);
  assert.equal(races.undoLeft(now), 2);
  assert.equal(races.elapsedMs(now, 0), 5000);
  assert.deepEqual(sent(races.makeMove(now, "24x2"))[1], [move(2, "24x2")]);
});

for (const [how, end] of [
  ["`you`", aYou({ state: "resigned" })],
  ["`standings`", { type: "standings", offset: 11, entries: [anEntry(ME, { state: "resigned" })] }],
  [
    "`finished`",
    {
      type: "finished",
      offset: 11,
      standings: [{ ...anEntry(ME, { state: "resigned" }), rank: 1 }],
    },
  ],
]) {
  test(`my game ends when ${how} says so, and a late ack does not revive it`, () => {
    const { race, game } = aRace();
    const now = races.receive(played(race, "12"), end, 7000);
    assert.deepEqual([now.game.state, plies(now)], ["resigned", []]);
    assert.equal(races.makeMove(now, "d"), now);
    assert.equal(races.elapsedMs(now, 99_000), 7000);
    const late = after(now, game.take(0, "12"), aYou());
    assert.deepEqual([late.game.state, late.ground.ply], ["resigned", 1]);
  });
}

test("old offsets are ignored, newer ones may skip", () => {
  const { race } = aRace();
  const renamed = (offset) => ({ type: "renamed", offset, player: { ...BO, name: "Bob" } });
  assert.equal(after(race, renamed(9)), race);
  assert.equal(after(race, renamed(10)), race);
  const now = after(race, renamed(500));
  assert.equal(now.offset, 500);
  assert.equal(now.entries[1].player.name, "Bob");
});

test("a welcome in the middle begins anew with its room", () => {
  const { race, game } = aRace();
  const room = aRoom({ title: "restored" });
  const now = after(played(race, "12"), aWelcome({ epoch: "e2", offset: 3, room }));
  assert.deepEqual(races.since(now), { epoch: "e2", offset: 3 });
  assert.equal(now.room.title, "restored");
  const done = after(now, game.take(0, "12"), game.view());
  assert.deepEqual([done.ground.ply, plies(done), done.refused], [1, [], null]);
});

test("who is removed, or leaves, only watches from then on", () => {
  for (const type of ["kicked", "left"]) {
    const room = aRoom({ state: "open" });
    const race = after(races.fromRoom(room), aWelcome({ room }), aYou({ state: "joined" }));
    assert.equal(races.myEntry(race).player.id, ME.id);
    const other = after(race, { type, offset: 11, player: BO, host: ME });
    assert.equal(other.you.player.id, ME.id);
    const now = after(race, { type, offset: 11, player: ME, host: BO });
    assert.deepEqual([now.you, races.myEntry(now)], [null, null], type);
    assert.deepEqual([now.isKicked, other.isKicked], [type === "kicked", false]);
  }
});

test("who comes back to a room without a seat only watches", () => {
  const { race } = aRace();
  const room = aRoom({ standings: [{ ...anEntry(BO), rank: 1 }] });
  const now = after(races.disconnected(race), aWelcome({ room }));
  assert.deepEqual([now.you, now.game, races.shownTable(now)], [null, null, null]);
});

test("in a crowd who is not among the first hundred still plays", () => {
  const { race } = aRace();
  const room = aRoom({ standings: [{ ...anEntry(BO), rank: 1 }], player_count: 300 });
  const now = after(races.disconnected(race), aWelcome({ room }));
  assert.equal(now.you.player.id, ME.id);
});

test("a cancelled race says why", () => {
  const { race } = aRace();
  const now = after(race, { type: "cancelled", offset: 11, reason: "idle" });
  assert.deepEqual([now.room.state, now.cancelReason], ["cancelled", "idle"]);
});

test("frames that nobody knows yet change nothing", () => {
  const { race } = aRace();
  assert.equal(after(race, { type: "fireworks", offset: 99 }), race);
});

test("a newcomer is in the standings", () => {
  const { race } = aRace();
  const now = after(race, { type: "standings", offset: 11, entries: [anEntry(CY, { placed: 9 })] });
  assert.deepEqual(
    races.standings(now).map(({ player, rank }) => [player.id, rank]),
    [
      ["p_cy", 1],
      ["p_me", 2],
      ["p_bo", 2],
    ],
  );
});

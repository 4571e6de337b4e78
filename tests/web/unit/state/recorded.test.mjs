import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { hashOf } from "../../../../clients/web/rules/position.js";
import * as races from "../../../../clients/web/state/race.js";

const { room, streams, snapshots, comebacks, games, last } = JSON.parse(
  readFileSync(new URL("./recorded/session.json", import.meta.url)),
);

/** The race after frames that were recorded. */
const told = (race, frames) =>
  frames.reduce((before, frame) => races.receive(before, frame, 0), race);

/** The room as a snapshot shows it, without what may differ; ties in the order of ids. */
function asSnapshot({ version, spectators, standings, ...rest }) {
  const byId = (one, other) => (one.player.id < other.player.id ? -1 : 1);
  const inOrder = (one, other) => one.rank - other.rank || byId(one, other);
  return { ...rest, standings: [...standings].sort(inOrder) };
}

/** The same without how far everybody has come, of which snapshots may be ahead. */
function withoutProgress(snapshot) {
  const { standings, ...rest } = asSnapshot(snapshot);
  return { ...rest, standings: standings.map(({ player }) => player.id).sort() };
}

const watched = streams.watching.filter(({ got }) => got).map(({ got }) => got);
const fresh = races.fromRoom(room);

test("the recording has all kinds of room events", () => {
  const kinds = new Set(watched.map(({ type }) => type));
  for (const type of ["joined", "ready", "renamed", "left", "kicked", "countdown", "started"]) {
    assert.ok(kinds.has(type), type);
  }
  for (const type of ["standings", "finished", "rematch"]) assert.ok(kinds.has(type), type);
  assert.ok(comebacks.length > 5);
});

test("events make of the first snapshot what the last one shows", () => {
  assert.deepEqual(asSnapshot(told(fresh, watched).room), asSnapshot(last));
});

for (const [n, snapshot] of snapshots.entries()) {
  test(`snapshot ${n} is what the events up to it make of the first`, () => {
    const upTo = watched.filter(({ offset = 0 }) => offset <= snapshot.offset);
    const { room: made } = told(fresh, upTo);
    const exact = made.state === "open" || made.state === "finished";
    const view = exact ? asSnapshot : withoutProgress;
    assert.deepEqual(view(made), view(snapshot.room));
  });

  test(`snapshot ${n} and the events after it make the last one`, () => {
    const race = told(fresh, [snapshot, ...watched.filter(({ type }) => type !== "welcome")]);
    assert.deepEqual(asSnapshot(race.room), asSnapshot(last));
  });
}

for (const [n, { since, frames }] of comebacks.entries()) {
  test(`comeback ${n}: what was missed leads from the old snapshot to the newest`, () => {
    const old = snapshots.find(({ offset }) => offset === since.offset);
    const race = told(fresh, [old]);
    assert.deepEqual(races.since(race), since);
    const back = told(races.disconnected(race), frames);
    const rest = watched.filter(({ type }) => type !== "welcome");
    assert.deepEqual(asSnapshot(told(back, rest).room), asSnapshot(last));
    const newest = snapshots.findLast(({ offset }) => offset <= back.offset);
    assert.deepEqual(withoutProgress(back.room), withoutProgress(newest.room));
  });
}

for (const name of ["ana", "bo"]) {
  test(`${name}'s moves are sent as they were, and end where the server's game did`, () => {
    let race = fresh;
    let moves = 0;
    for (const { at, got, sent } of streams[name]) {
      if (got) race = races.receive(race, got, at);
      if (sent?.type !== "move") continue;
      race = sent.move === "u" ? races.undo(race) : races.makeMove(race, sent.move);
      const out = races.sending(race, at);
      assert.deepEqual(out.frames, [sent]);
      race = out.race;
      moves += 1;
    }
    const game = games[name];
    assert.equal(moves, game.ply);
    assert.deepEqual([race.pending, race.refused, race.wantsSync], [[], null, false]);
    assert.equal(race.ground.ply, game.ply);
    assert.equal(hashOf(race.ground.table), game.hash);
    const { score, placed, atMs } = race.game;
    assert.deepEqual([score, placed, atMs], [game.score, game.placed, game.at_ms]);
    assert.equal(race.shown.score, game.score);
    assert.deepEqual(asSnapshot(race.room), asSnapshot(last));
    assert.equal(race.game.state, name === "ana" ? "won" : "resigned");
    assert.equal(races.myEntry(race).rank, name === "ana" ? 1 : 2);
  });
}

test("the clock of the recording runs as the server's", () => {
  const { at } = streams.ana.find(({ got }) => got?.type === "game");
  const race = told(
    fresh,
    streams.ana.filter(({ got }) => got).map(({ got }) => got),
  );
  assert.equal(races.elapsedMs(race, 1e9), games.ana.elapsed_ms);
  let live = fresh;
  for (const frame of streams.ana.filter((one) => one.got && one.at <= at)) {
    live = races.receive(live, frame.got, frame.at);
  }
  const { elapsed_ms } = streams.ana.find(({ got }) => got?.type === "game").got;
  const apart = Math.abs(races.elapsedMs(live, at) - elapsed_ms);
  assert.ok(apart < 50, `${apart} ms apart`);
  assert.ok(races.leftMs(live, at) <= 900_000 - elapsed_ms);
});

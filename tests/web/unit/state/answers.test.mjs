import assert from "node:assert/strict";
import { test } from "node:test";

import * as races from "../../../../clients/web/state/race.js";
import { after, aRace, move, played, plies, reject, sent } from "./playing.mjs";
import { aServerGame, aWelcome, aYou } from "./pretend_server.mjs";

test("an ack turns the cards up and confirms, and asks for nothing", () => {
  const { race, game } = aRace();
  let now = played(race, "12", "d");
  now = after(now, game.take(0, "12", 500));
  assert.equal(now.shown.table.reserve.at(-1), "8H");
  assert.deepEqual(plies(now), [1]);
  now = after(now, game.take(1, "d", 700));
  assert.deepEqual(now.shown.table.waste, ["AH", "QH", "5D"]);
  assert.deepEqual([plies(now), now.ground.ply, now.wantsSync], [[], 2, false]);
  assert.equal(now.game.elapsedMs, 700);
});

test("an ack that comes again changes nothing", () => {
  const { race, game } = aRace();
  const ack = game.take(0, "12");
  const once = after(played(race, "12", "d"), ack);
  const twice = after(once, ack);
  assert.deepEqual(twice, once);
});

for (const code of ["bad_move", "illegal_move", "undo_off", "nothing_to_undo", "new_here"]) {
  test(`\`${code}\` takes the move back, and those made on top of it`, () => {
    const { race } = aRace();
    const now = after(played(race, "12", "d", "d"), reject(0, code));
    assert.deepEqual(plies(now), []);
    assert.deepEqual(now.shown.table, race.shown.table);
    assert.deepEqual(now.refused, { id: 1, move: "12", code, detail: "why" });
    assert.equal(now.wantsSync, false);
  });
}

test("the answers to moves given up are not taken for answers to new ones", () => {
  const { race, game } = aRace();
  let now = after(played(race, "12", "d", "d"), reject(0, "illegal_move"));
  now = played(now, "d", "d", "d");
  now = after(now, reject(1, "ply_gap", 0), reject(2, "ply_gap", 0));
  assert.deepEqual(sent(now)[1], []);
  assert.deepEqual(plies(now), [0, 1, 2]);
  now = after(now, game.take(0, "d"), game.take(1, "d"), game.take(2, "d"));
  assert.deepEqual([plies(now), now.ground.ply, now.refused.id], [[], 3, 1]);
});

test("each refusal has a number of its own", () => {
  const { race } = aRace();
  const once = after(played(race, "12"), reject(0, "illegal_move"));
  const twice = after(played(once, "12"), reject(0, "illegal_move"));
  assert.deepEqual([once.refused.id, twice.refused.id], [1, 2]);
});

test("a refusal of what nobody waits for changes nothing", () => {
  const { race } = aRace();
  const waiting = races.makeMove(race, "12"); // not sent yet
  assert.equal(after(waiting, reject(0, "illegal_move")), waiting);
  assert.equal(after(race, reject(7, "ply_gap", 0)), race);
});

test("`unavailable` sends the same again with the same ply, waiting longer each time", () => {
  const { race, game } = aRace();
  let now = played(race, "12", "d");
  const waits = [];
  let nowMs = 0;
  for (let n = 0; n < 7; n += 1) {
    now = races.receive(now, reject(0, "unavailable", 0), nowMs);
    now = races.receive(now, reject(1, n % 2 ? "ply_gap" : "unavailable", 0), nowMs);
    assert.deepEqual(now.shown.table.columns[1], ["KH", "QC"]);
    const held = races.sending(now, nowMs);
    assert.deepEqual(held.frames, []);
    waits.push(held.againAtMs - nowMs);
    nowMs = held.againAtMs;
    const again = races.sending(held.race, nowMs);
    assert.deepEqual(again.frames, [move(0, "12"), move(1, "d")]);
    now = again.race;
  }
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  now = after(now, game.take(0, "12"), game.take(1, "d"));
  assert.deepEqual([plies(now), now.failures, now.refused], [[], 0, null]);
});

test("moves made while storage is away wait behind those before them", () => {
  const { race } = aRace();
  let now = races.receive(played(race, "12"), reject(0, "unavailable"), 0);
  now = races.makeMove(now, "d");
  assert.deepEqual(sent(now, 499)[1], []);
  assert.deepEqual(sent(now, 500)[1], [move(0, "12"), move(1, "d")]);
});

test("a gap behind a move that is on its way again is closed by sending again", () => {
  const { race } = aRace();
  let now = races.receive(played(race, "12", "d"), reject(0, "unavailable"), 0);
  [now] = sent(now, 500);
  now = races.receive(now, reject(1, "ply_gap", 0), 510);
  assert.deepEqual(sent(now, 510)[1], [move(1, "d")]);
  assert.equal(now.wantsSync, false);
});

test("a gap before anything that is pending wants a sync, and moves wait for it", () => {
  const game = aServerGame();
  game.take(0, "12");
  const { race } = aRace({ game });
  const now = after(played(race, "d"), reject(1, "ply_gap", 0));
  const [syncing, frames] = sent(now);
  assert.deepEqual(frames, [{ type: "sync" }]);
  assert.deepEqual(sent(races.makeMove(syncing, "d"))[1], []);
  // The server has lost what it acknowledged: what it shows holds.
  const restored = after(syncing, aServerGame().view());
  assert.deepEqual([restored.ground.ply, plies(restored)], [0, []]);
  assert.equal(restored.refused.code, "ply_conflict");
});

test("`ply_conflict` takes the move back and asks for the game", () => {
  const { race, game } = aRace();
  game.take(0, "24"); // on another device
  const now = after(played(race, "12", "d"), game.take(0, "12"));
  assert.equal(now.refused.code, "ply_conflict");
  const [syncing, frames] = sent(now);
  assert.deepEqual(frames, [{ type: "sync" }]);
  assert.deepEqual(sent(syncing)[1], []);
  const done = after(syncing, game.take(1, "d"), game.view());
  assert.deepEqual([done.ground.ply, done.isSyncing, done.wantsSync], [2, false, false]);
  assert.deepEqual(done.shown.table.columns[3], ["AS", "KH"]);
});

test("`not_racing` stops: everything pending goes", () => {
  const { race } = aRace();
  const now = after(played(race, "12", "d"), reject(0, "not_racing"));
  assert.deepEqual([plies(now), now.refused.code], [[], "not_racing"]);
  assert.deepEqual(sent(now)[1], []);
});

test("an ack of another device's move is taken over, and mine on top of nothing goes", () => {
  const { race, game } = aRace();
  const quiet = after(race, game.take(0, "24"));
  assert.deepEqual([quiet.ground.ply, quiet.refused], [1, null]);
  const busy = after(played(race, "12", "d"), game.take(0, "24"));
  assert.deepEqual([plies(busy), busy.refused.code, busy.refused.move], [[], "ply_conflict", "12"]);
  assert.deepEqual(busy.shown.table.columns[3], ["AS", "KH"]);
  const late = after(busy, reject(0, "ply_conflict", 1), reject(1, "illegal_move"));
  assert.equal(late.refused.id, 1);
});

test("an ack after a hole, or with another hash, asks for the game", () => {
  const { race, game } = aRace();
  game.take(0, "12");
  const hole = after(race, game.take(1, "d"));
  assert.deepEqual([hole.wantsSync, hole.ground.ply], [true, 0]);
  const astray = after(played(race, "12"), { ...game.take(0, "12"), hash: "00000000" });
  assert.deepEqual([astray.wantsSync, astray.ground.ply], [true, 1]);
  const impossible = after(race, { ...game.take(0, "12"), move: "wf" });
  assert.deepEqual([impossible.wantsSync, impossible.ground.ply], [true, 1]);
  for (const lost of [hole, astray, impossible]) {
    const found = after(sent(lost)[0], game.view());
    assert.deepEqual([found.ground.ply, found.wantsSync, found.isSyncing], [2, false, false]);
    assert.deepEqual(found.shown.table.waste, ["AH", "QH", "5D"]);
  }
});

test("a sync that storage could not answer is asked for again, later", () => {
  const { race, game } = aRace();
  game.take(0, "12");
  let [now] = sent(after(race, game.take(1, "d")));
  now = races.receive(now, { type: "error", code: "unavailable", detail: "" }, 100);
  assert.deepEqual(sent(now, 599)[1], []);
  assert.deepEqual(sent(now, 600)[1], [{ type: "sync" }]);
});

test("once my game has come, what waited for storage goes out at once", () => {
  const { race, game } = aRace();
  let now = races.receive(played(race, "12"), reject(0, "unavailable"), 0);
  now = after(now, game.view());
  assert.deepEqual(sent(now, 0)[1], [move(0, "12")]);
  assert.equal(now.failures, 0);
});

test("answers that a lost connection swallowed are not waited for", () => {
  const { race, game } = aRace();
  const given = after(played(race, "12", "d"), reject(0, "illegal_move"));
  const back = after(races.disconnected(given), aWelcome(), aYou(), game.view());
  const now = after(played(back, "d", "d"), game.take(0, "d"), reject(1, "unavailable"));
  assert.deepEqual(sent(now, 500)[1], [move(1, "d")]);
});

test("a game that has ended elsewhere takes nothing that is pending", () => {
  const { race, game } = aRace();
  game.resign();
  const now = after(played(race, "12"), game.view());
  assert.deepEqual([now.game.state, plies(now), now.shown.ply], ["resigned", [], 0]);
});

test("a sync that is refused is not asked for again", () => {
  const { race, game } = aRace();
  game.take(0, "12");
  const [now] = sent(after(race, game.take(1, "d")));
  const refused = after(now, { type: "error", code: "wrong_state", detail: "" });
  assert.deepEqual([refused.isSyncing, refused.wantsSync], [false, false]);
  assert.equal(after(race, { type: "error", code: "not_host", detail: "" }), race);
});

test("what was known before a lost connection is still known after it", () => {
  const { race, game } = aRace();
  const before = after(played(race, "12", "d"), game.take(0, "12"));
  game.take(1, "d");
  const now = after(races.disconnected(before), aWelcome(), aYou(), game.view());
  assert.equal(races.undoLeft(now), 2);
  assert.equal(now.ground.history.length, 2);
  assert.deepEqual(now.shown.table.waste, ["AH", "QH", "5D"]);
  assert.deepEqual(races.undo(now).shown.table.waste, []);
});

test("moves made where something else stands by now are taken back", () => {
  const { race, game } = aRace();
  const offline = races.disconnected(played(race, "12", "d"));
  game.take(0, "24");
  const now = after(offline, aWelcome(), aYou(), game.view());
  assert.deepEqual([plies(now), now.refused.code], [[], "ply_conflict"]);
  assert.deepEqual(now.shown.table.columns[3], ["AS", "KH"]);
});

test("a won game takes nothing more", () => {
  const { race, game } = aRace();
  const ack = { ...game.take(0, "12", 4000), state: "won" };
  const now = after(played(race, "12", "d"), ack);
  assert.deepEqual([now.game.state, plies(now)], ["won", []]);
  assert.equal(races.makeMove(now, "d"), now);
  assert.equal(races.undo(now), now);
  assert.equal(races.elapsedMs(now, 1e9), 4000);
  assert.equal(after(now, aYou({ state: "out_of_time" })).game.state, "won");
});

test("whose time is out has had the whole of it", () => {
  const { race } = aRace();
  const now = races.receive(race, aYou({ state: "out_of_time" }), 899_500);
  assert.equal(races.elapsedMs(now, 1e9), 900_000);
  assert.equal(races.leftMs(now, 1e9), 0);
});

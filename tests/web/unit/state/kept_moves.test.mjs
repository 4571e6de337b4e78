import assert from "node:assert/strict";
import { test } from "node:test";

import { keep } from "../../../../clients/web/state/keeping.js";
import { createKeptMoves, NO_MOVES, playAgain } from "../../../../clients/web/state/kept_moves.js";
import * as races from "../../../../clients/web/state/race.js";
import { aBrowserStore } from "./browser.mjs";
import { after, aRace, move, plies, reject, sent } from "./playing.mjs";
import { aRoom, aServerGame, aWelcome, aYou } from "./pretend_server.mjs";

/** Moves from a ply on, as they are kept. */
const moves = (ply, ...texts) => texts.map((text, i) => ({ ply: ply + i, move: text }));

/** The same, read by the page that one comes back to. */
const queue = (...kept) => ({ moves: moves(...kept), isPlaced: false });

/** Plays again, and says what then waits. */
function again(race, waiting) {
  const next = playAgain(race, waiting);
  return [next.race, next.queue, next.queue.moves.map(({ move: text }) => text)];
}

test("what is kept of a room is there for the next page, and gone when nothing is left", () => {
  const browser = aBrowserStore();
  const there = () => createKeptMoves(keep("moves", browser));
  there().write("r1", "p1", [{ ply: 3, move: "d", sent: true }]);
  there().write("r2", "p1", moves(0, "12"));
  assert.deepEqual(there().read("r1", "p1"), queue(3, "d"));
  assert.equal(there().read("r3", "p1"), NO_MOVES);
  there().write("r1", "p1", []);
  assert.equal(there().read("r1", "p1"), NO_MOVES);
  assert.deepEqual(there().read("r2", "p1"), queue(0, "12"));
  there().write("r2", "p1", []);
  assert.equal(browser.items.size, 0);
});

test("without storage it lasts from page to page until a reload", () => {
  const kept = createKeptMoves(keep("moves", { storage: () => null, events: null }));
  kept.write("r1", "p1", moves(3, "d"));
  assert.deepEqual(kept.read("r1", "p1"), queue(3, "d"));
});

test("another player's moves are forgotten, and so are damaged ones", () => {
  const browser = aBrowserStore();
  const kept = createKeptMoves(keep("moves", browser));
  for (const stranger of ["p2", undefined]) {
    kept.write("r1", "p1", moves(3, "d"));
    assert.equal(kept.read("r1", stranger), NO_MOVES);
    assert.equal(browser.items.size, 0);
  }
  for (const damaged of [7, "x", { r1: 1 }, { r1: { player: "p1", moves: [{ ply: "0" }] } }]) {
    browser.items.set("moves", JSON.stringify(damaged));
    assert.equal(kept.read("r1", "p1"), NO_MOVES);
  }
});

test("nobody's moves are not kept", () => {
  const browser = aBrowserStore();
  createKeptMoves(keep("moves", browser)).write("r1", undefined, moves(3, "d"));
  assert.equal(browser.items.size, 0);
});

test("until my game has come they wait", () => {
  const race = after(races.fromRoom(aRoom()), aWelcome());
  const waiting = queue(0, "12");
  assert.deepEqual(playAgain(race, waiting), { race, queue: waiting });
});

test("those that have counted are left out, the rest goes out with the same ply", () => {
  const game = aServerGame();
  game.take(0, "12");
  const { race } = aRace({ game });
  const [now, , left] = again(race, queue(0, "12", "d", "d"));
  assert.deepEqual(sent(now)[1], [move(1, "d"), move(2, "d")]);
  assert.deepEqual(left, []);
});

test("a move of a card that is not known yet waits for the acks before it", () => {
  const { race, game } = aRace({ game: aServerGame({ deal: 4 }) });
  const [drawn, waiting, left] = again(race, queue(0, "d", "w1", "d"));
  assert.deepEqual([plies(drawn), left], [[0], ["w1", "d"]]);
  const [known, rest, then] = again(after(sent(drawn)[0], game.take(0, "d")), waiting);
  assert.deepEqual([plies(known), then], [[1, 2], []]);
  assert.deepEqual(again(known, rest)[2], []);
});

test("what the table does not take, with nothing to wait for, ends it", () => {
  const { race } = aRace();
  const [now, , left] = again(race, queue(0, "14", "d"));
  assert.deepEqual([now, left], [race, []]);
});

test("a refusal of one ends it for those that wait behind it", () => {
  const { race } = aRace();
  const [drawn, waiting] = again(race, queue(0, "d", "w1", "d"));
  const refused = after(sent(drawn)[0], reject(0, "illegal_move"));
  const [now, , left] = again(refused, waiting);
  assert.deepEqual([plies(now), left], [[], []]);
});

test("who plays something else meanwhile has their way", () => {
  const { race } = aRace();
  const [drawn, waiting] = again(race, queue(0, "d", "w1", "d"));
  const [now, , left] = again(races.makeMove(drawn, "12"), waiting);
  assert.deepEqual([plies(now), left], [[0, 1], []]);
});

test("moves from after a gap are not played", () => {
  const { race } = aRace();
  const [now, , left] = again(race, queue(2, "d"));
  assert.deepEqual([now, left], [race, []]);
});

test("they wait while the connection is lost or my game is asked for", () => {
  const { race, game } = aRace();
  const waiting = { moves: moves(1, "w1"), isPlaced: true };
  const drawn = races.makeMove(race, "d");
  assert.deepEqual(again(races.disconnected(drawn), waiting)[2], ["w1"]);
  const wrong = { ...game.take(0, "d"), hash: "00000000" };
  const doubted = after(sent(drawn)[0], wrong);
  assert.deepEqual([doubted.wantsSync, again(doubted, waiting)[2]], [true, ["w1"]]);
});

test("an ended game, a finished or cancelled room and a kick end it", () => {
  const { race } = aRace();
  const ended = after(race, aYou({ state: "resigned" }));
  const before = after(races.fromRoom(aRoom()), aYou({ state: "resigned" }));
  const finished = races.fromRoom(aRoom({ state: "finished" }));
  const cancelled = races.fromRoom(aRoom({ state: "cancelled" }));
  for (const over of [ended, before, finished, cancelled, races.kicked(race)]) {
    assert.deepEqual(playAgain(over, queue(0, "12")), { race: over, queue: NO_MOVES });
  }
});

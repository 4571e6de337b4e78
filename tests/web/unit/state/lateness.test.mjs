import assert from "node:assert/strict";
import { test } from "node:test";

import { heard, isLate, isOwed, lateAtMs } from "../../../../clients/web/state/lateness.js";
import * as races from "../../../../clients/web/state/race.js";
import { aRace, played, reject, sent } from "./playing.mjs";

test("who has sent nothing is owed nothing", () => {
  const { race } = aRace();
  const unsent = races.makeMove(race, "12");
  for (const one of [race, unsent, races.disconnected(played(race, "12"))]) {
    assert.deepEqual([isOwed(one), lateAtMs(one), isLate(one, 1e9)], [false, null, false]);
  }
});

test("three seconds after the oldest move was sent its answer is late", () => {
  const { race } = aRace();
  const [one] = sent(races.makeMove(race, "12"), 5000);
  const [two] = sent(races.makeMove(one, "d"), 7500);
  assert.equal(lateAtMs(two), 8000);
  assert.deepEqual([isLate(two, 7999), isLate(two, 8000)], [false, true]);
});

test("any answer begins a new wait, and the last one ends it", () => {
  const { race, game } = aRace();
  const late = played(race, "12", "d");
  const answered = races.receive(late, game.take(0, "12"), 4000);
  assert.deepEqual([isLate(answered, 4000), lateAtMs(answered)], [false, 7000]);
  const refused = races.receive(answered, reject(1, "illegal_move"), 5000);
  assert.equal(lateAtMs(refused), null);
});

test("what is no answer ends no wait", () => {
  const { race } = aRace();
  const waiting = played(race, "12");
  for (const type of ["pong", "standings", "you", "welcome"]) {
    assert.equal(heard(waiting, type, 2000), waiting, type);
  }
});

test("the question for my game is waited for as well", () => {
  const { race, game } = aRace();
  game.take(0, "12");
  const [asking] = sent(races.receive(race, game.take(1, "d"), 0), 1000);
  assert.equal(lateAtMs(asking), 4000);
  assert.equal(lateAtMs(races.receive(asking, game.view(), 4500)), null);
});

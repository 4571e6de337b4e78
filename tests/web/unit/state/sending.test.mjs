import assert from "node:assert/strict";
import { test } from "node:test";

import * as races from "../../../../clients/web/state/race.js";
import { sending } from "../../../../clients/web/state/sending.js";
import { after, aRace, move, reject } from "./playing.mjs";

test("moves go out in their order, each once", () => {
  const { race } = aRace();
  const out = sending(races.makeMove(races.makeMove(race, "12"), "d"), 10);
  assert.deepEqual(out.frames, [move(0, "12"), move(1, "d")]);
  assert.deepEqual(sending(out.race, 20), { race: out.race, frames: [], againAtMs: null });
});

test("the wait for answers begins with the first that is sent, not with each", () => {
  const { race } = aRace();
  const first = sending(races.makeMove(race, "12"), 10).race;
  const second = sending(races.makeMove(first, "d"), 20).race;
  assert.deepEqual([first.waitsSinceMs, second.waitsSinceMs], [10, 10]);
});

test("what storage did not answer is sent again when it is time, and not before", () => {
  const { race } = aRace();
  const sent = sending(races.makeMove(race, "12"), 0).race;
  const failed = after(sent, reject(0, "unavailable"));
  const early = sending(failed, failed.againAtMs - 1);
  assert.deepEqual([early.frames, early.againAtMs], [[], failed.againAtMs]);
  assert.deepEqual(sending(failed, failed.againAtMs).frames, [move(0, "12")]);
});

test("no move goes out while my game is asked for", () => {
  const { race, game } = aRace();
  game.take(0, "12");
  const lost = after(race, game.take(1, "d"));
  const asking = sending(lost, 0);
  assert.deepEqual(asking.frames, [{ type: "sync" }]);
  assert.deepEqual(sending(races.makeMove(asking.race, "d"), 1).frames, []);
});

import assert from "node:assert/strict";
import test from "node:test";

import { follow, IDLE } from "../../../../clients/web/table/gesture.js";

const HIT = { pile: "1", index: 2 };
const down = { type: "down", id: 1, x: 100, y: 100, hit: HIT, slop: 5 };
const move = (x, y, id = 1) => ({ type: "move", id, x, y });
const up = (x, y, id = 1) => ({ type: "up", id, x, y });

/** What a row of touches means, one by one. */
function meanings(...touches) {
  let gesture = IDLE;
  return touches.map((touch) => {
    const answer = follow(gesture, touch);
    gesture = answer.gesture;
    return answer;
  });
}

const verbs = (...touches) => meanings(...touches).map(({ does }) => does);

test("down and up in one place is a tap on what lay there", () => {
  const [, tap] = meanings(down, up(101, 100));

  assert.deepEqual([tap.does, tap.hit], ["tap", HIT]);
});

test("trembling is no drag", () => {
  assert.deepEqual(verbs(down, move(103, 103), up(103, 103)), ["press", "nothing", "tap"]);
});

test("a drag lifts, carries and drops, each with how far it went", () => {
  const [, lift, carry, drop] = meanings(down, move(110, 100), move(150, 90), up(160, 80));

  assert.deepEqual([lift.does, lift.dx, lift.dy], ["lift", 10, 0]);
  assert.deepEqual([carry.does, carry.dx, carry.dy], ["carry", 50, -10]);
  assert.deepEqual([drop.does, drop.dx, drop.dy, drop.hit], ["drop", 60, -20, HIT]);
});

test("a drag back to where it began still is a drag", () => {
  assert.deepEqual(verbs(down, move(150, 100), move(100, 100), up(100, 100)).at(-1), "drop");
});

test("a second finger calls a drag off, and the first one is not followed any further", () => {
  const second = { ...down, id: 2 };

  assert.deepEqual(
    verbs(down, move(150, 100), second, move(160, 100), up(160, 100), up(100, 100, 2)),
    ["press", "lift", "back", "nothing", "nothing", "nothing"],
  );
});

test("a second finger turns a press into nothing, too", () => {
  assert.deepEqual(verbs(down, { ...down, id: 2 }, up(100, 100)), ["press", "back", "nothing"]);
});

test("what another pointer does is not taken for the first one's", () => {
  assert.deepEqual(verbs(down, move(300, 300, 2), up(100, 100)), ["press", "nothing", "tap"]);
});

test("a cancelled drag goes back, a cancel without one is nothing", () => {
  assert.deepEqual(verbs(down, move(150, 100), { type: "cancel" }), ["press", "lift", "back"]);
  assert.deepEqual(verbs({ type: "cancel" }), ["nothing"]);
});

test("a finger on the felt is nothing", () => {
  assert.deepEqual(verbs({ ...down, hit: null }, up(100, 100)), ["nothing", "nothing"]);
});

import assert from "node:assert/strict";
import test from "node:test";

import { play } from "../../../../clients/web/rules/moves.js";
import { keepHeld, press } from "../../../../clients/web/table/keyboard.js";
import { aTable, aTableOf } from "../rules/vectors.mjs";

const DEALT = aTable("CF1-D3-AAAAACL");
const RUN = aTableOf({
  columns: [["9S", "8H", "7C"], ["TD"], ["8D"], []],
  waste: ["7D"],
  reserve: ["2C"],
  foundations: { H: 2 },
  stock: [null],
});

/** A key as the browser tells it: capitals come with Shift. */
function keyOf(name) {
  return { key: name, shift: /^[A-Z]$/.test(name), command: false };
}

/** Presses keys one after the other, playing every move. */
function pressAll(table, keys, { toColumns = true, neighbour = (pile) => pile } = {}) {
  let hand = { focus: "stock", held: null };
  const done = [];
  for (const name of keys) {
    const outcome = press(hand, keyOf(name), { table, toColumns, neighbour });
    if (!outcome) {
      done.push("nothing");
      continue;
    }
    hand = outcome.hand;
    if (outcome.move) done.push(outcome.move);
    if (outcome.refusal) done.push(outcome.refusal.reason);
    if (outcome.undo) done.push("u");
    if (outcome.move) table = play(table, outcome.move).table;
  }
  return { done, hand, table };
}

const moves = (table, keys, options) => pressAll(table, keys, options).done;

test("moves are typed as they are written", () => {
  assert.deepEqual(moves(DEALT, ["1", "2", "r", "f", "d"]), ["12", "rf", "d"]);
});

test("a card of a foundation is taken back with its capital", () => {
  const table = aTableOf({ columns: [["9S"], ["2C"], ["2S"], ["2D"]], foundations: { H: 2 } });

  assert.deepEqual(moves(table, ["H", "1"]), ["H1"]);
});

test("the same source twice is a tap", () => {
  assert.deepEqual(moves(RUN, ["w", "w"]), ["wf"]);
  assert.deepEqual(moves(DEALT, ["1", "1"]), ["12"]);
});

test("a tap by keys heeds the preference, too", () => {
  assert.deepEqual(moves(DEALT, ["1", "1"], { toColumns: false }), ["nowhere"]);
});

test("of a column as many cards go as fit", () => {
  assert.deepEqual(moves(RUN, ["1", "2"]), ["12x3"]);
  assert.deepEqual(moves(RUN, ["1", "3"]), ["13"]);
});

test("up and down choose how many cards of a column are held", () => {
  const { hand } = pressAll(RUN, ["1", "ArrowUp", "ArrowUp", "ArrowDown"]);

  assert.deepEqual(hand.held, { pile: "1", count: 2, chosen: true });
});

test("a count that was chosen is kept to", () => {
  assert.deepEqual(moves(RUN, ["1", "ArrowUp", "2"]), ["notOn"]);
  assert.deepEqual(moves(RUN, ["1", "ArrowUp", "ArrowUp", "2"]), ["12x3"]);
  assert.deepEqual(moves(RUN, ["1", "ArrowUp", "ArrowDown", "3"]), ["13"]);
});

test("past the whole run and past one card, arrows go on to the next pile", () => {
  const neighbour = (_, direction) => ({ up: "C", down: "4", left: "1", right: "2" })[direction];

  const past = pressAll(RUN, ["1", "ArrowUp", "ArrowUp", "ArrowUp"], { neighbour });
  const below = pressAll(RUN, ["1", "ArrowDown"], { neighbour });

  assert.deepEqual([past.hand.focus, past.hand.held.count], ["C", 3]);
  assert.deepEqual([below.hand.focus, below.hand.held.count], ["4", 1]);
});

test("Enter and Space pick up, put down, and send", () => {
  const neighbour = (pile) => ({ stock: "1", 1: "2" })[pile];

  const keys = ["ArrowRight", "Enter", "ArrowRight", " "];
  const { done, hand } = pressAll(DEALT, keys, { neighbour });

  assert.deepEqual(done, ["12"]);
  assert.deepEqual(hand, { focus: "2", held: null });
  assert.deepEqual(moves(DEALT, ["ArrowRight", "Enter", "Enter"], { neighbour }), ["12"]);
});

test("Enter on the stock draws", () => {
  assert.deepEqual(moves(DEALT, ["Enter", " "]), ["d", "d"]);
});

test("a target that does not fit is refused, and the hand is empty again", () => {
  const { done, hand } = pressAll(DEALT, ["1", "3"]);

  assert.deepEqual(done, ["notOn"]);
  assert.deepEqual(hand, { focus: "3", held: null });
});

test("an empty pile cannot be picked up", () => {
  const { done, hand } = pressAll(DEALT, ["w"]);

  assert.deepEqual(done, ["wasteEmpty"]);
  assert.equal(hand.held, null);
});

test("Escape lets go, and means nothing to an empty hand", () => {
  const { done, hand } = pressAll(DEALT, ["1", "Escape", "Escape"]);

  assert.deepEqual(done, ["nothing"]);
  assert.equal(hand.held, null);
});

test("undo is u or Ctrl+Z, and lets go", () => {
  const situation = { table: DEALT, toColumns: true, neighbour: (pile) => pile };
  const held = { focus: "1", held: { pile: "1", count: 1, chosen: false } };

  for (const key of [keyOf("u"), { key: "z", shift: false, command: true }]) {
    const { undo, hand } = press(held, key, situation);
    assert.deepEqual([undo, hand.held], [true, null]);
  }
});

test("a caps lock changes nothing: Shift tells a diamond from a draw", () => {
  const situation = { table: DEALT, toColumns: true, neighbour: (pile) => pile };
  const hand = { focus: "stock", held: null };

  assert.equal(press(hand, { key: "D", shift: false, command: false }, situation).move, "d");
  assert.equal(press(hand, { key: "d", shift: true, command: false }, situation).hand.focus, "D");
});

test("other keys, and other keys with Ctrl, are left to the browser", () => {
  const situation = { table: DEALT, toColumns: true, neighbour: (pile) => pile };
  const hand = { focus: "stock", held: null };

  for (const key of ["x", "5", "f", "Tab", "F5", "Z"]) {
    assert.equal(press(hand, keyOf(key), situation), null, key);
  }
  for (const key of ["r", "d", "u", "1", "w"]) {
    assert.equal(press(hand, { key, shift: false, command: true }, situation), null, key);
  }
});

test("what is held is let go when its cards are gone, else kept", () => {
  const hand = { focus: "1", held: { pile: "1", count: 2, chosen: true } };

  assert.equal(keepHeld(hand, RUN).held, hand.held);
  assert.equal(keepHeld(hand, DEALT).held, null);
});

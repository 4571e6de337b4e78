import assert from "node:assert/strict";
import test from "node:test";

import { play, reveal } from "../../../../clients/web/rules/moves.js";
import { tableFromView } from "../../../../clients/web/rules/table.js";
import { changesBetween } from "../../../../clients/web/table/changes.js";
import { aTable, aTableOf, aViewOf } from "../rules/vectors.mjs";

const SEEN = tableFromView(aViewOf(aTable("CF1-D3-AAAAACL")), { ruleset: "CF1", draw: 3 });

/** What a move changes before its ack, and what the ack adds. */
function changesOf(table, move, cards) {
  const shown = play(table, move).table;
  return [changesBetween(table, shown), changesBetween(shown, reveal(shown, cards))];
}

test("nothing has changed in the same table", () => {
  assert.deepEqual(changesBetween(SEEN, SEEN), []);
});

test("a move is told first, then the refill, and the reserve's top when it is known", () => {
  const [shown, told] = changesOf(SEEN, "12", ["8H"]);

  assert.deepEqual(shown, [
    { kind: "moved", card: "QC", count: 1, to: "2" },
    { kind: "moved", card: "JD", count: 1, to: "1" },
  ]);
  assert.deepEqual(told, [{ kind: "reserveShows", card: "8H" }]);
});

test("drawn cards are told when they are known", () => {
  const [shown, told] = changesOf(SEEN, "d", ["AH", "QH", "5D"]);

  assert.deepEqual(shown, []);
  assert.deepEqual(told, [{ kind: "drawn", cards: ["AH", "QH", "5D"] }]);
});

test("a draw of known cards is told at once", () => {
  const table = aTable("CF1-D3-AAAAACL");

  assert.deepEqual(changesBetween(table, play(table, "d").table), [
    { kind: "drawn", cards: ["AH", "QH", "5D"] },
  ]);
});

test("turning the waste over and taking a draw back are told apart", () => {
  const drawn = reveal(play(SEEN, "d").table, ["AH", "QH", "5D"]);
  const over = aTableOf({ waste: ["2C", "3C"] });

  assert.deepEqual(changesBetween(drawn, SEEN), [{ kind: "undrawn" }]);
  assert.deepEqual(changesBetween(over, play(over, "d").table), [{ kind: "turnedOver" }]);
});

test("a run is one change", () => {
  const table = aTableOf({ columns: [["9S", "8H", "7C"], ["TD"], ["2C"], ["2S"]] });

  assert.deepEqual(changesBetween(table, play(table, "12x3").table), [
    { kind: "moved", card: "9S", count: 3, to: "2" },
  ]);
});

test("a card to its foundation, the last one of all, is a win", () => {
  const table = aTableOf({ waste: ["6S"], foundations: { C: 13, D: 13, H: 13, S: 12 } });

  assert.deepEqual(changesBetween(table, play(table, "wf").table), [
    { kind: "moved", card: "6S", count: 1, to: "S" },
    { kind: "won" },
  ]);
});

test("the last card of the reserve leaves it empty", () => {
  const table = aTableOf({ reserve: ["7C"], columns: [["2C"], ["2S"], ["3C"], ["3S"]] });

  assert.deepEqual(changesBetween(table, play(table, "rf").table).at(-1), { kind: "reserveEmpty" });
});

test("what is undone is told as the move back", () => {
  const up = aTableOf({ waste: ["2C", "8H"], columns: [["9S"]], foundations: { H: 1 } });
  const gone = play(up, "w1").table;

  assert.deepEqual(changesBetween(gone, up), [
    { kind: "moved", card: "8H", count: 1, to: "waste" },
  ]);
});

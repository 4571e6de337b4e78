import assert from "node:assert/strict";
import { test } from "node:test";

import {
  isColumn,
  isFoundation,
  readMove,
  writeMove,
} from "../../../../clients/web/rules/move_text.js";
import { vectors } from "./vectors.mjs";

const PILES = ["stock", "waste", "reserve", "1", "2", "3", "4", "C", "D", "H", "S"];

test("moves are read apart", () => {
  assert.deepEqual(readMove("d"), { source: "stock", target: "waste", count: 1 });
  assert.deepEqual(readMove("wf"), { source: "waste", target: "up", count: 1 });
  assert.deepEqual(readMove("r3"), { source: "reserve", target: "3", count: 1 });
  assert.deepEqual(readMove("24x52"), { source: "2", target: "4", count: 52 });
  assert.deepEqual(readMove("H4"), { source: "H", target: "4", count: 1 });
});

test("every move of the published games is written as it was read", () => {
  const games = vectors("games.json").flatMap(({ steps }) => steps.map(({ move }) => move));
  const moves = new Set(games.filter((move) => move !== "u"));

  assert.ok(moves.size > 60);
  for (const move of moves) assert.equal(writeMove(readMove(move)), move);
});

test("what is not in the table of moves is unreadable", () => {
  const texts = [
    "",
    "u",
    "w",
    "r",
    "1",
    "1x3",
    "11",
    "12x1",
    "12x0",
    "12x03",
    "12x53",
    "12x100",
    "w1x2",
    "r1x2",
    "1fx2",
    "H4x2",
    "Hf",
    "D",
    "df",
    "d1",
    "5f",
    "15",
    "01",
    " 12",
    "12 ",
    "12\n",
    "W1",
    "h4",
    "rr",
    "fw",
    "12X2",
    "12x",
    "x2",
    "12x2x2",
  ];

  assert.deepEqual(
    texts.filter((text) => readMove(text) !== null),
    [],
  );
});

test("piles are columns, foundations or neither", () => {
  assert.deepEqual(PILES.filter(isColumn), ["1", "2", "3", "4"]);
  assert.deepEqual(PILES.filter(isFoundation), ["C", "D", "H", "S"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  columnOf,
  foundationTop,
  isWon,
  nextUp,
  placed,
  tableFromDeal,
  tableFromView,
} from "../../../../clients/web/rules/table.js";
import { aDeal, aTable, aTableOf, aViewOf } from "./vectors.mjs";

const VARIANT = { ruleset: "CF1", draw: 3 };
const CODE = "CF1-D3-AAAAACL";

test("a table from a view knows no stock, and of the reserve its top", () => {
  const table = tableFromView(aViewOf(aTable(CODE)), VARIANT);

  assert.deepEqual(table.stock, new Array(34).fill(null));
  assert.deepEqual(table.reserve, [...new Array(12).fill(null), "JD"]);
  assert.deepEqual(table.columns, [["QC"], ["KH"], ["3H"], ["AS"]]);
  assert.deepEqual([table.base, table.ruleset, table.draw], ["7", "CF1", 3]);
});

test("a view with its reserve exhausted gives an empty one", () => {
  const table = tableFromView(aViewOf(aTableOf({ waste: ["2C", "3C"] })), VARIANT);

  assert.deepEqual([table.reserve, table.waste], [[], ["2C", "3C"]]);
});

test("a table from a deal knows every card", () => {
  const { stock, waste, reserve, columns } = tableFromDeal(aDeal(CODE));

  assert.equal(new Set([...stock, ...reserve, ...columns.flat()]).size, 51);
  assert.equal(stock[0], "AH");
  assert.equal(reserve[12], "JD");
  assert.deepEqual(waste, []);
});

test("a table is frozen through and through and does not share what it was made of", () => {
  const deal = aDeal(CODE);
  const table = tableFromDeal(deal);
  deal.columns[0].push("2S");
  deal.foundations.C = 5;

  assert.deepEqual([columnOf(table, "1"), table.foundations.C], [["QC"], 0]);
  const { stock, waste, reserve, columns, foundations } = table;
  const parts = [table, stock, waste, reserve, columns, ...columns, foundations];
  assert.ok(parts.every(Object.isFrozen));
});

test("columns go by number", () => {
  const columns = ["1", "2", "3", "4"].map((column) => columnOf(aTable(CODE), column));

  assert.deepEqual(columns, [["QC"], ["KH"], ["3H"], ["AS"]]);
});

test("foundations count up from the base rank, around the king", () => {
  const table = aTableOf({ base: "J", foundations: { C: 0, D: 1, H: 4, S: 13 } });

  const tops = [..."CDHS"].map((suit) => foundationTop(table, suit));
  const next = [..."CDHS"].map((suit) => nextUp(table, suit));
  assert.deepEqual(tops, [null, "JD", "AH", "TS"]);
  assert.deepEqual(next, ["JC", "QD", "2H", null]);
});

test("a game is won with all 52 cards placed, not with 51", () => {
  const almost = aTableOf({ foundations: { C: 13, D: 13, H: 12, S: 13 } });
  const all = aTableOf({ foundations: { C: 13, D: 13, H: 13, S: 13 } });

  assert.deepEqual([placed(almost), isWon(almost)], [51, false]);
  assert.deepEqual([placed(all), isWon(all)], [52, true]);
});

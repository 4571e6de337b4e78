import assert from "node:assert/strict";
import { test } from "node:test";

import { neighbour, queryOf, readChosen, startOf } from "../../../../clients/web/boards/choice.js";

const TODAY = "2026-11-30"; // a Monday
const CF1_DRAW_3 = { ruleset: "CF1", draw: 3 };
const CF1_DRAW_1 = { ruleset: "CF1", draw: 1 };
const CH1 = { ruleset: "CH1", draw: 3 };
const WINS = { board: "wins", unit: "wins", variants: [CF1_DRAW_3, CF1_DRAW_1, CH1] };

const read = (/** @type {string} */ query) => readChosen(WINS, new URLSearchParams(query), TODAY);

test("a path without a query is all time, the first rules, and people", () => {
  const { period, at, variant, kind } = read("");
  assert.deepEqual([period, at, variant, kind], ["all", TODAY, CF1_DRAW_3, "human"]);
});

test("what a query says is read, and written again as it was", () => {
  for (const query of [
    "period=week&at=2026-11-18&ruleset=CF1&draw=1&kind=bot",
    "period=day&at=2026-11-29",
    "period=month",
    "ruleset=CH1&draw=3",
    "kind=bot",
    "",
  ]) {
    assert.equal(queryOf(read(query), TODAY).toString(), query);
  }
});

test("a day of the present period is left out, so that the link goes on meaning the present one", () => {
  assert.equal(queryOf(read("period=month&at=2026-11-03"), TODAY).toString(), "period=month");
});

test("what cannot be is as usual", () => {
  for (const at of ["2026-13-01", "2026-02-30", "2027-01-01", "1969-12-31", "yesterday"]) {
    assert.equal(read(`period=day&at=${at}`).at, TODAY, at);
  }
  assert.equal(read("period=year").period, "all");
  assert.equal(read("ruleset=CH1&draw=1").variant, CF1_DRAW_3);
  assert.equal(read("kind=cat").kind, "human");
});

test("weeks begin on Monday, months on their first day", () => {
  assert.equal(startOf("week", "2026-11-30"), "2026-11-30");
  assert.equal(startOf("week", "2027-01-03"), "2026-12-28");
  assert.equal(startOf("month", "2026-11-30"), "2026-11-01");
  assert.equal(startOf("day", "2026-11-30"), "2026-11-30");
});

test("from a period one comes to the one before and back, over the ends of months and years", () => {
  for (const [period, start, before] of [
    ["day", "2027-01-01", "2026-12-31"],
    ["day", "2028-03-01", "2028-02-29"],
    ["week", "2027-01-04", "2026-12-28"],
    ["month", "2027-01-01", "2026-12-01"],
    ["month", "2026-03-01", "2026-02-01"],
  ]) {
    assert.equal(neighbour(period, start, -1), before, `${period} before ${start}`);
    assert.equal(neighbour(period, before, 1), start, `${period} after ${before}`);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  boardText,
  boardTitle,
  exactClock,
  periodText,
  valueText,
} from "../../../../clients/web/boards/words.js";

const NEW = { board: "patience", title: "Patience", description: "Minutes spent.", unit: "wins" };

test("values are written in their unit", () => {
  assert.equal(valueText("wins", 1234), "1,234");
  assert.equal(valueText("ms", 245_390), "4:05.3");
  assert.equal(valueText("days", 1), "1 day");
  assert.equal(valueText("days", 12), "12 days");
  assert.equal(valueText("dollars", -45), "-$45");
  assert.equal(valueText("points", 17.25), "17.3");
  assert.equal(valueText("points", 0), "0.0");
});

test("a winner's time is cut to the tenth, never rounded up to one that was not reached", () => {
  assert.equal(exactClock(59_999), "0:59.9");
  assert.equal(exactClock(3_600_000), "1:00:00.0");
});

test("periods are named, a week by its first and last day", () => {
  const named = (period, at) => periodText({ period, at });
  assert.equal(named("day", "2026-11-30"), "November 30, 2026");
  assert.match(named("week", "2027-01-01"), /Dec 28, 2026\s–\sJan 3, 2027/);
  assert.equal(named("month", "2026-11-30"), "November 2026");
  assert.equal(named("all", "2026-11-30"), "All time");
});

test("a board that is newer than the page has the server's words", () => {
  assert.deepEqual([boardTitle(NEW), boardText(NEW)], ["Patience", "Minutes spent."]);
  const wins = { ...NEW, board: "wins" };
  assert.deepEqual([boardTitle(wins), boardText(wins)], ["Wins", "Games won."]);
});

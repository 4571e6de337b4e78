import assert from "node:assert/strict";
import { test } from "node:test";

import { raceTitle, startText, variantText } from "../../../../clients/web/parts/deal_words.js";

test("Hoyle's rules are named without a draw, which is always three", () => {
  assert.equal(variantText({ ruleset: "CH1", draw: 3 }), "Canfield, Hoyle");
  assert.notEqual(
    variantText({ ruleset: "CF1", draw: 1 }),
    variantText({ ruleset: "CF1", draw: 3 }),
  );
});

test("a race is named by its title, else by its host, else not at all", () => {
  const host = { id: "p_1", name: "Ana", kind: "human" };
  assert.equal(raceTitle({ title: "Friday", host }), "Friday");
  assert.match(raceTitle({ title: "", host }), /Ana/);
  for (const nobody of [null, { ...host, name: "" }]) {
    assert.equal(raceTitle({ title: "", host: nobody }), "Race");
  }
});

test("each way to start is told apart, and a time is told", () => {
  const texts = ["host", "ready"].map((start) => startText({ start, start_at: null }));
  assert.equal(new Set(texts).size, 2);
  assert.match(startText({ start: "at", start_at: "2026-11-30T20:00:00.000Z" }), /2026/);
});

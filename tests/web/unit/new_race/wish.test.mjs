import assert from "node:assert/strict";
import { test } from "node:test";

import {
  faultsOf,
  fieldAt,
  localMinute,
  readCode,
  recall,
  settle,
  USUAL,
  wishOf,
} from "../../../../clients/web/new_race/wish.js";

const NOW = Date.parse("2026-11-30T08:00:00Z");

test("what is usual is a wish the server takes as it is", () => {
  assert.deepEqual(wishOf(USUAL), {
    ruleset: "CF1",
    draw: 3,
    winnable: false,
    sealed: false,
    undo: true,
    start: "host",
    seats: 8,
    time_limit_s: 900,
    countdown_s: 5,
    visibility: "public",
    title: "",
  });
});

test("Hoyle's rules settle the draw and leave undo out, and give both back when they go", () => {
  const choices = { ...USUAL, draw: "1", ruleset: "CH1" };
  const settled = settle(choices);
  assert.deepEqual([settled.draw, settled.undo], ["3", false]);
  assert.deepEqual([settled.offered.draw, settled.offered.undo], [["3"], false]);
  const wish = wishOf(choices);
  assert.equal(wish.draw, 3);
  assert.ok(!("undo" in wish));
  assert.equal(settle({ ...choices, ruleset: "CF1" }).draw, "1");
});

test("a code settles rules and draw, and goes with neither sealed nor winnable", () => {
  const choices = { ...USUAL, deal: "code", code: "cf1-d1-aaaaacl", sealed: true };
  const settled = settle(choices);
  assert.deepEqual([settled.draw, settled.sealed, settled.offered.sealed], ["1", false, false]);
  const wish = wishOf(choices);
  assert.equal(wish.code, "CF1-D1-AAAAACL");
  for (const left of ["ruleset", "draw", "sealed", "winnable", "ranked"])
    assert.ok(!(left in wish), left);
});

test("a code of Hoyle's rules takes undo away", () => {
  assert.ok(!("undo" in wishOf({ ...USUAL, deal: "code", code: "CH1-D3-AAAAACL" })));
});

test("codes are read in small letters and with blanks around, and Hoyle's only with three cards", () => {
  assert.equal(readCode(" cf1-d3-aaaaacl ")?.code, "CF1-D3-AAAAACL");
  assert.equal(readCode("CH1-D1-AAAAACL"), null);
  assert.equal(readCode("CF1-D3-AAAAAC"), null);
});

test("a start at a time is told in UTC, and no other start has one", () => {
  const startAt = localMinute(NOW + 3_600_000);
  assert.equal(wishOf({ ...USUAL, start: "at", startAt }).start_at, "2026-11-30T09:00:00.000Z");
  assert.ok(!("start_at" in wishOf({ ...USUAL, startAt })));
});

test("a time that has passed, is too far ahead, or is none is a fault, where one is needed", () => {
  for (const startAt of ["", localMinute(NOW - 60_000), localMinute(NOW + 8 * 86_400_000)]) {
    assert.equal(
      faultsOf({ ...USUAL, start: "at", startAt }, NOW).startAt,
      "new.startPast",
      startAt,
    );
    assert.deepEqual(faultsOf({ ...USUAL, startAt }, NOW), {});
  }
});

test("numbers outside their bounds are faults, each at its field", () => {
  const wrong = { ...USUAL, seats: "0", minutes: "121", countdown: "1.5" };
  assert.deepEqual(Object.keys(faultsOf(wrong, NOW)).sort(), ["countdown", "minutes", "seats"]);
  assert.deepEqual(faultsOf({ ...USUAL, seats: "100", minutes: "120", countdown: "0" }, NOW), {});
});

test("a code that cannot be read is a fault only where the deal is by code", () => {
  assert.equal(faultsOf({ ...USUAL, deal: "code", code: "CF1" }, NOW).code, "new.codeBad");
  assert.deepEqual(faultsOf({ ...USUAL, code: "CF1" }, NOW), {});
});

test("choices come back, without title, code and time, and damaged ones as usual", () => {
  const kept = {
    ...USUAL,
    draw: "1",
    sealed: true,
    title: "Friday",
    code: "CF1-D3-AAAAACL",
    startAt: "x",
  };
  assert.deepEqual(recall(kept), { ...USUAL, draw: "1", sealed: true });
  assert.deepEqual(recall({ draw: 2, ruleset: "XX", sealed: "yes", seats: null }), { ...USUAL });
  assert.deepEqual(recall(null), { ...USUAL });
});

test("the server's pointers lead to the fields", () => {
  assert.equal(fieldAt("/time_limit_s"), "minutes");
  assert.equal(fieldAt("/nothing"), null);
  assert.equal(fieldAt(undefined), null);
});

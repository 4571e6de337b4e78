import assert from "node:assert/strict";
import { test } from "node:test";

import { msOf, readClock, tuneClock } from "../../../../clients/web/state/server_clock.js";

const NOON = "2026-11-30T12:00:00.000Z";
const at = (ms) => new Date(msOf(NOON) + ms).toISOString();

/** A pong that took so long, half of it each way; it is noon there when it is 0 here. */
const aPong = (sentMs, roundTripMs, error = 0) => ({
  serverTime: at(sentMs + roundTripMs / 2 + error),
  sentMs,
  nowMs: sentMs + roundTripMs,
});

test("an instant is read to the millisecond", () => {
  assert.equal(msOf("1970-01-01T00:00:01.250Z"), 1250);
});

test("a frame that came unasked gives a first idea", () => {
  const clock = readClock(NOON, 40);
  assert.equal(clock.aheadMs, msOf(NOON) - 40);
});

test("a pong is taken for halfway between asking and hearing", () => {
  const clock = tuneClock(readClock(NOON, 500), aPong(1000, 80));
  assert.deepEqual(clock, { aheadMs: msOf(NOON), roundTripMs: 80 });
  assert.deepEqual(tuneClock(null, aPong(1000, 80)), clock);
});

test("a quicker pong is believed more, a slower one less", () => {
  const quick = tuneClock(null, aPong(0, 20));
  assert.equal(tuneClock(quick, aPong(1000, 300, 140)), quick);
  const quicker = tuneClock(quick, aPong(2000, 10, 4));
  assert.equal(quicker.aheadMs, msOf(NOON) + 4);
});

test("after a sleep, in which this clock stood still, the server's time is taken anew", () => {
  const before = tuneClock(null, aPong(0, 20));
  const after = tuneClock(before, aPong(1000, 300, 60_000));
  assert.equal(after.aheadMs, msOf(NOON) + 60_000);
});

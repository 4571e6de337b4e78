import assert from "node:assert/strict";
import { test } from "node:test";

import { clockAt, pauseBefore, plyFrom } from "../../../../clients/web/film/film.js";

/** A film of three moves; the thought before the last was a long one. */
const FILM = {
  tables: [],
  moves: ["d", "wf", "u"],
  timesMs: [400, 1000, 61_000],
  placed: [],
  scores: [],
};
const LINE = { ...FILM, timesMs: [400] };

test("at an even pace every move is looked at equally long, and shorter the faster it goes", () => {
  const pauses = (speed) => [1, 2, 3].map((ply) => pauseBefore(FILM, ply, speed));
  assert.deepEqual(pauses("1"), [1000, 1000, 1000]);
  assert.deepEqual(pauses("4"), [250, 250, 250]);
  assert.deepEqual(pauses("16"), [62.5, 62.5, 62.5]);
});

test("as it was, moves come when they were made, and long thoughts are cut short", () => {
  assert.deepEqual(
    [1, 2, 3].map((ply) => pauseBefore(FILM, ply, "true")),
    [400, 600, 3000],
  );
});

test("moves that nobody has played have no clock and come at an even pace", () => {
  assert.deepEqual(
    [0, 1, 2, 3].map((ply) => clockAt(LINE, ply)),
    [0, 400, null, null],
  );
  assert.equal(pauseBefore(LINE, 1, "true"), 400);
  assert.equal(pauseBefore(LINE, 2, "true"), 1000);
});

test("an address begins a film at one of its moves, or at the deal", () => {
  assert.deepEqual(
    [null, "", "2", "900", "-1", "1.5", "x"].map((text) => plyFrom(text, FILM)),
    [0, 0, 2, 3, 0, 0, 0],
  );
});

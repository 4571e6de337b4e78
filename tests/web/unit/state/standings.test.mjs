import assert from "node:assert/strict";
import { test } from "node:test";

import {
  hasEnded,
  mergeStandings,
  rankStandings,
} from "../../../../clients/web/state/standings.js";
import { seeded } from "../wire/virtual.mjs";
import { anEntry } from "./pretend_server.mjs";

const player = (id) => ({ id, name: id, kind: "human" });
const entry = (id, fields) => anEntry(player(id), fields);
const ranks = (entries) => rankStandings(entries).map(({ player: { id }, rank }) => `${rank}${id}`);

test("a win is before everything, then more placed, then earlier, then fewer actions", () => {
  assert.deepEqual(
    ranks([
      entry("e", { placed: 9, at_ms: 500, actions: 31 }),
      entry("d", { placed: 9, at_ms: 500, actions: 30 }),
      entry("f", { placed: 8, at_ms: 1, actions: 1 }),
      entry("c", { placed: 9, at_ms: 400, actions: 99 }),
      entry("b", { placed: 10, at_ms: 900 }),
      entry("a", { placed: 52, at_ms: 999, state: "won" }),
    ]),
    ["1a", "2b", "3c", "4d", "5e", "6f"],
  );
});

test("equal in all four is an equal rank, and the next rank skips", () => {
  assert.deepEqual(
    ranks([
      entry("c", { placed: 2 }),
      entry("a", { placed: 5, state: "racing" }),
      entry("b", { placed: 5, state: "resigned" }),
      entry("d", { placed: 2 }),
    ]),
    ["1a", "1b", "3c", "3d"],
  );
  assert.deepEqual(ranks([]), []);
});

test("ranking leaves what it was given as it was", () => {
  const entries = [entry("b"), entry("a", { placed: 3 })];
  rankStandings(entries);
  assert.deepEqual(
    entries.map(({ player: { id } }) => id),
    ["b", "a"],
  );
});

test("of two entries about one player the one further on holds", () => {
  const far = entry("a", { actions: 7, placed: 2 });
  for (const [news, held] of [
    [entry("a", { actions: 6, placed: 3 }), far],
    [entry("a", { actions: 8, placed: 1 }), null],
    [entry("a", { actions: 7, placed: 2, state: "resigned" }), null],
    [entry("a", { actions: 7, placed: 2, state: "joined" }), far],
    [{ ...far, player: { ...far.player, name: "New" } }, null],
  ]) {
    assert.deepEqual(mergeStandings([far], [news]), [held ?? news]);
  }
});

test("an end is final", () => {
  const ended = entry("a", { actions: 7, state: "won" });
  assert.deepEqual(mergeStandings([ended], [entry("a", { actions: 7 })]), [ended]);
});

test("newcomers come last, and nobody is lost", () => {
  const merged = mergeStandings([entry("a"), entry("b")], [entry("c"), entry("a", { actions: 1 })]);
  assert.deepEqual(
    merged.map(({ player: { id }, actions }) => [id, actions]),
    [
      ["a", 1],
      ["b", 0],
      ["c", 0],
    ],
  );
});

test("news may come in any order, and twice: the newest of each player remains", () => {
  const chance = seeded(7);
  const news = ["a", "b", "c"].flatMap((id, n) =>
    Array.from({ length: 20 }, (_, actions) => entry(id, { actions, placed: (actions + n) % 7 })),
  );
  const newest = mergeStandings([], news);
  for (let n = 0; n < 50; n += 1) {
    const shuffled = [...news, ...news.slice(0, 10)]
      .map((one) => ({ one, key: chance() }))
      .sort((one, other) => one.key - other.key)
      .map(({ one }) => one);
    assert.deepEqual(rankStandings(mergeStandings([], shuffled)), rankStandings(newest));
  }
});

test("who has won, resigned or run out of time has ended", () => {
  const states = ["joined", "ready", "racing", "won", "resigned", "out_of_time"];
  assert.deepEqual(states.filter(hasEnded), ["won", "resigned", "out_of_time"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { placedAt, rankGhosts } from "../../../../clients/web/state/ghosts.js";
import { anEntry, BO, ME } from "./pretend_server.mjs";

const ANA = { id: "p_ana", name: "Ana", kind: "human" };
const ana = {
  player: ANA,
  points: [
    [0, 1],
    [4000, 2],
  ],
};
const bo = {
  player: BO,
  points: [
    [0, 1],
    [2500, 2],
    [9000, 3],
    [20_000, 52],
  ],
};
const mine = {
  player: ME,
  points: [
    [0, 1],
    [100, 30],
  ],
};

test("a ghost has what had been placed by then", () => {
  const at = (elapsedMs) => placedAt(bo, elapsedMs);
  assert.deepEqual([0, 2499, 2500, 8999, 9000, 99_999].map(at), [1, 1, 2, 2, 3, 52]);
  assert.equal(placedAt({ player: BO, points: [] }, 5), 0);
});

test("ghosts are ranked as they stood at the same time, with me as I stand now", () => {
  const me = anEntry(ME, { placed: 2, at_ms: 3000, actions: 12 });
  const rows = rankGhosts([ana, bo, mine], me, 5000);
  assert.deepEqual(
    rows.map(({ player, rank, placed }) => [player.id, rank, placed]),
    [
      ["p_bo", 1, 2],
      ["p_me", 2, 2],
      ["p_ana", 3, 2],
    ],
  );
  assert.equal(rows[1].actions, 12);
});

test("what is not known of ghosts decides nothing", () => {
  const me = anEntry(ME, { placed: 2, at_ms: 4000, actions: 12 });
  assert.deepEqual(
    rankGhosts([ana], me, 5000).map(({ rank }) => rank),
    [1, 1],
  );
});

test("a ghost that has placed everything has won", () => {
  const [first] = rankGhosts([bo], anEntry(ME), 30_000);
  assert.deepEqual([first.player.id, first.state], ["p_bo", "won"]);
});

test("alone I am first, and curves without points are nobody's", () => {
  assert.deepEqual(
    rankGhosts([{ player: BO, points: [] }, mine], anEntry(ME), 10).map(({ rank }) => rank),
    [1],
  );
});

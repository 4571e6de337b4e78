import assert from "node:assert/strict";
import { test } from "node:test";

import { backoffMs } from "../../../../clients/web/wire/backoff.js";

test("waits double up to ten seconds, each drawn between a quarter of a second and its cap", () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 5000].map((tries) => backoffMs(tries, () => 1));
  assert.deepEqual(longest, [500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
  assert.equal(
    backoffMs(9, () => 0),
    250,
  );
});

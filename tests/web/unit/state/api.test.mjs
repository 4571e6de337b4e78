import assert from "node:assert/strict";
import { test } from "node:test";

import { pathOf, randomKey } from "../../../../clients/web/state/api.js";

test("a key is 32 hex digits, another one each time", () => {
  const keys = new Set(Array.from({ length: 50 }, randomKey));
  assert.equal(keys.size, 50);
  for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/);
});

test("whatever is in a part of a path, it stays one part", () => {
  assert.equal(pathOf("/players", "../me?x#y"), "/players/..%2Fme%3Fx%23y");
  assert.equal(pathOf("/rooms", "r1", "join"), "/rooms/r1/join");
});

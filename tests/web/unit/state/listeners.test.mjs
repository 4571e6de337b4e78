import assert from "node:assert/strict";
import { test } from "node:test";

import { createListeners } from "../../../../clients/web/state/listeners.js";

test("listeners are told in their order until they are taken away", () => {
  const listeners = createListeners();
  const heard = [];
  listeners.on((news) => heard.push(`a${news}`));
  const off = listeners.on((news) => {
    heard.push(`b${news}`);
    off();
  });
  listeners.on((news) => heard.push(`c${news}`));
  listeners.tell(1);
  listeners.tell(2);
  assert.deepEqual(heard, ["a1", "b1", "c1", "a2", "c2"]);
});

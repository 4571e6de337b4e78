import assert from "node:assert/strict";
import { test } from "node:test";

import { keep } from "../../../../clients/web/state/keeping.js";
import { aBrowserStore } from "./browser.mjs";

test("what is written is read by the next page", () => {
  const browser = aBrowserStore();
  keep("k", browser).write({ a: 1 });
  assert.deepEqual(keep("k", browser).read(), { a: 1 });
  assert.equal(keep("other", browser).read(), null);
});

test("null forgets it", () => {
  const browser = aBrowserStore();
  const kept = keep("k", browser);
  kept.write({ a: 1 });
  kept.write(null);
  assert.equal(kept.read(), null);
  assert.equal(browser.items.size, 0);
});

test("damaged text counts as nothing", () => {
  const browser = aBrowserStore();
  browser.items.set("k", "{oh");
  assert.equal(keep("k", browser).read(), null);
});

test("without storage it lasts as long as the page", () => {
  const refusing = () => {
    throw new DOMException("denied", "SecurityError");
  };
  for (const storage of [refusing, () => null]) {
    const kept = keep("k", { storage, events: null });
    kept.write({ a: 1 });
    assert.deepEqual(kept.read(), { a: 1 });
    kept.write(null);
    assert.equal(kept.read(), null);
  }
});

test("another tab's writing of this key is told of, and no other's", () => {
  const browser = aBrowserStore();
  const kept = keep("k", browser);
  kept.write(1);
  let told = 0;
  kept.onOtherTab(() => (told += 1));
  browser.otherTabWrites("other", "5");
  assert.equal(told, 0);
  browser.otherTabWrites("k", "2");
  assert.deepEqual([told, kept.read()], [1, 2]);
  browser.otherTabWrites("k", null);
  assert.deepEqual([told, kept.read()], [2, null]);
  browser.otherTabClears();
  assert.equal(told, 3);
});

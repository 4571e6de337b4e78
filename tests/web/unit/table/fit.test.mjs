import assert from "node:assert/strict";
import test from "node:test";

import { fit } from "../../../../clients/web/table/fit.js";
import { BOXES } from "./boxes.mjs";

test("each screen has the arrangement that suits it", () => {
  const names = Object.fromEntries(
    Object.entries(BOXES).map(([name, box]) => [name, fit(box).arrangement.name]),
  );

  assert.deepEqual(names, {
    "a phone of 360 px": "tall",
    "a phone of 360 px with edges and a bar": "tall",
    "a phone of 320 px": "tall",
    "a large phone": "tall",
    "a phone on its side": "low",
    "a large phone on its side": "low",
    "a tablet": "tall",
    "a laptop": "wide",
    "a laptop with a panel": "wide",
    "a desk": "wide",
    "a 4K screen": "wide",
  });
});

test("cards are at least 58 px wide on a phone of 360 px, upright or on its side", () => {
  assert.ok(fit(BOXES["a phone of 360 px"]).card.width >= 58);
  assert.ok(fit(BOXES["a phone of 360 px with edges and a bar"]).card.width >= 58);
  assert.ok(fit(BOXES["a phone on its side"]).card.width >= 58);
});

test("cards stop growing on very large screens", () => {
  assert.equal(fit(BOXES["a 4K screen"]).card.width, fit({ width: 9000, height: 9000 }).card.width);
});

test("the table lies in the middle", () => {
  const { arrangement, card, left } = fit(BOXES["a desk"]);

  const right = BOXES["a desk"].width - left - arrangement.width * card.width;
  assert.ok(left > 0 && Math.abs(left - right) <= 1);
});

test("a box with hardly any room still has cards", () => {
  assert.ok(fit({ width: 3, height: 2 }).card.width >= 1);
});

import assert from "node:assert/strict";
import test from "node:test";

import { hitAt, nearestPile, neighbour, sourceOf } from "../../../../clients/web/table/aim.js";
import { layOut, PILES } from "../../../../clients/web/table/layout.js";
import { aTableOf } from "../rules/vectors.mjs";
import { BOXES } from "./boxes.mjs";

const TABLE = aTableOf({
  columns: [["9S", "8H", "7C"], ["QD"], ["2S"], []],
  waste: ["3C", "4C", "5C"],
  reserve: [null, "KD"],
});
const LAYOUTS = Object.values(BOXES).map((box) => layOut(TABLE, box));
const DESK = layOut(TABLE, BOXES["a laptop"]);

function middle({ x, y, width, height }) {
  return { x: x + width / 2, y: y + height / 2 };
}

test("every card that is to be seen is hit in its visible strip", () => {
  for (const layout of LAYOUTS) {
    for (const { pile, index, x, y } of layout.places.filter((place) => place.faceUp)) {
      assert.deepEqual(hitAt(layout, { x: x + 5, y: y + 5 }), { pile, index });
    }
  }
});

test("an empty pile is hit as well", () => {
  assert.deepEqual(hitAt(DESK, middle(DESK.piles.stock)), { pile: "stock", index: -1 });
  assert.deepEqual(hitAt(DESK, middle(DESK.piles[4])), { pile: "4", index: -1 });
});

test("the felt is nothing", () => {
  const { x, y, height } = DESK.piles[1];

  assert.equal(hitAt(DESK, { x, y: y + height + 30 }), null);
  assert.equal(hitAt(DESK, { x: 1, y: 1 }), null);
});

test("a card of a column takes those on it along, other piles give their top", () => {
  assert.deepEqual(sourceOf(TABLE, { pile: "1", index: 0 }), { pile: "1", count: 3 });
  assert.deepEqual(sourceOf(TABLE, { pile: "1", index: 2 }), { pile: "1", count: 1 });
  assert.deepEqual(sourceOf(TABLE, { pile: "waste", index: 0 }), { pile: "waste", count: 1 });
  assert.deepEqual(sourceOf(TABLE, { pile: "4", index: -1 }), { pile: "4", count: 1 });
});

test("a card falls on the nearest of the piles that take it", () => {
  const between = middle(DESK.piles[2]);

  assert.equal(nearestPile(DESK, between, ["1", "2", "3"]), "2");
  assert.equal(nearestPile(DESK, { ...between, x: between.x - 40 }, ["1", "3"]), "1");
  assert.equal(nearestPile(DESK, { ...between, x: between.x + 40 }, ["1", "3"]), "3");
});

test("a card let go far from all that take it falls on none", () => {
  assert.equal(nearestPile(DESK, middle(DESK.piles.reserve), ["4", "S"]), null);
  assert.equal(nearestPile(DESK, middle(DESK.piles[1]), []), null);
});

test("arrows go to what lies there", () => {
  assert.equal(neighbour(DESK, "1", "right"), "2");
  assert.equal(neighbour(DESK, "2", "left"), "1");
  assert.equal(neighbour(DESK, "1", "up"), "C");
  assert.equal(neighbour(DESK, "S", "down"), "4");
  assert.equal(neighbour(DESK, "1", "left"), "reserve");
  assert.equal(neighbour(DESK, "C", "left"), "waste");
  assert.equal(neighbour(DESK, "waste", "left"), "stock");
  assert.equal(neighbour(DESK, "stock", "down"), "reserve");
});

test("at the edge an arrow stays where it is", () => {
  assert.equal(neighbour(DESK, "4", "right"), "4");
  assert.equal(neighbour(DESK, "stock", "up"), "stock");
});

test("arrows lead from every pile to every other, in every arrangement", () => {
  for (const layout of LAYOUTS) {
    for (const start of PILES) {
      const reached = new Set([start]);
      for (const pile of reached) {
        for (const direction of ["up", "down", "left", "right"]) {
          reached.add(neighbour(layout, pile, direction));
        }
      }
      assert.equal(reached.size, PILES.length, `${layout.fit.arrangement.name} from ${start}`);
    }
  }
});

import assert from "node:assert/strict";
import test from "node:test";

import { cardsOf, layOut, PILES } from "../../../../clients/web/table/layout.js";
import { aTable, aTableOf } from "../rules/vectors.mjs";
import { aColumn, BOXES, TABLES } from "./boxes.mjs";

const DESK = BOXES["a laptop"];

/** Every table in every box, laid out. */
function* everyLayout() {
  for (const [size, box] of Object.entries(BOXES)) {
    for (const [name, table] of Object.entries(TABLES)) {
      yield { what: `${name} on ${size}`, box, layout: layOut(table, box) };
    }
  }
}

function overlap(a, b) {
  const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const along = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return across > 0 && along > 0;
}

const placesOf = (layout, pile) => layout.places.filter((place) => place.pile === pile);

test("all cards and piles are inside the box", () => {
  for (const { what, box, layout } of everyLayout()) {
    const cards = layout.places.map(({ x, y }) => ({ x, y, ...layout.fit.card }));
    for (const { x, y, width, height } of [...cards, ...Object.values(layout.piles)]) {
      assert.ok(x >= 0 && y >= 0, what);
      assert.ok(x + width <= box.width && y + height <= box.height, what);
    }
  }
});

test("no two piles overlap", () => {
  for (const { what, layout } of everyLayout()) {
    for (const a of PILES) {
      for (const b of PILES) {
        if (a < b) assert.ok(!overlap(layout.piles[a], layout.piles[b]), `${a}, ${b}: ${what}`);
      }
    }
  }
});

test("a pile's box holds its cards, or the place for one", () => {
  for (const { what, layout } of everyLayout()) {
    for (const pile of PILES) {
      const { x, y, width, height } = layout.piles[pile];
      const { card } = layout.fit;
      assert.ok(width >= card.width && height >= card.height, what);
      for (const place of placesOf(layout, pile)) {
        assert.ok(place.x >= x && place.x + card.width <= x + width, what);
        assert.ok(place.y >= y && place.y + card.height <= y + height, what);
      }
    }
  }
});

test("eighteen cards of a column lie far enough apart to be read", () => {
  for (const { what, layout } of everyLayout()) {
    for (const column of ["1", "2", "3", "4"]) {
      const [first, second] = placesOf(layout, column);
      if (second) assert.ok(second.y - first.y >= 11, `${what}: ${second.y - first.y} px`);
    }
  }
});

test("short columns are spread no further than their corners need", () => {
  const layout = layOut(aTableOf({ columns: [["KS", "QH"]] }), DESK);

  const [first, second] = placesOf(layout, "1");
  assert.equal(second.y - first.y, Math.round(layout.fit.card.width * 0.43));
});

test("a column longer than any usual one stays inside, too", () => {
  const layout = layOut(aTableOf({ columns: [aColumn(26)] }), BOXES["a phone on its side"]);

  const last = placesOf(layout, "1").at(-1);
  assert.ok(last.y + layout.fit.card.height <= BOXES["a phone on its side"].height);
});

test("the last three cards of the waste are fanned, those before lie below the first of them", () => {
  for (const box of [DESK, BOXES["a phone of 360 px"]]) {
    const cards = placesOf(layOut(TABLES["full piles"], box), "waste");

    const spots = cards.map(({ x, y }) => `${x},${y}`);
    assert.equal(new Set(spots).size, 3);
    assert.deepEqual(
      cards.slice(-3).map(({ card }) => card),
      ["6C", "7C", "8C"],
    );
  }
});

test("the stock and all of the reserve but its top lie face down, even if they are known", () => {
  const layout = layOut(aTable("CF1-D3-AAAAACL"), DESK);

  const shown = layout.places.filter(({ pile }) => pile === "stock" || pile === "reserve");
  assert.deepEqual(
    shown.filter(({ faceUp }) => faceUp).map(({ card }) => card),
    ["JD"],
  );
  assert.equal(placesOf(layout, "stock").at(-1).card, "AH");
});

test("a card that nobody knows lies face down", () => {
  const table = aTableOf({ waste: ["2C", null], reserve: [null, null] });

  const { places } = layOut(table, DESK);

  assert.deepEqual(
    places.filter(({ faceUp }) => faceUp).map(({ card }) => card),
    ["2C"],
  );
});

test("foundations show their top card and the one below it", () => {
  const layout = layOut(aTableOf({ base: "Q", foundations: { H: 3 } }), DESK);

  assert.deepEqual(
    placesOf(layout, "H").map(({ card, index }) => [card, index]),
    [
      ["KH", 1],
      ["AH", 2],
    ],
  );
  assert.deepEqual(placesOf(layout, "C"), []);
});

test("the cards of a pile are told from the bottom to the top", () => {
  const table = aTable("CF1-D3-AAAAACL");

  assert.equal(cardsOf(table, "stock").at(-1), "AH");
  assert.equal(cardsOf(table, "reserve").at(-1), "JD");
  assert.deepEqual(cardsOf(table, "H"), ["7H"]);
  assert.deepEqual(cardsOf(table, "4"), ["AS"]);
});

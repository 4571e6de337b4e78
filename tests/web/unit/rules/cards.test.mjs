import assert from "node:assert/strict";
import { test } from "node:test";

import {
  ALL_SUITS,
  cardAbove,
  isRed,
  RANKS,
  rankOf,
  restsOn,
  SUITS,
  suitOf,
} from "../../../../clients/web/rules/cards.js";

const ALL_CARDS = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

test("a card's number is 13 times its suit plus its rank", () => {
  const numbers = ALL_CARDS.map((card) => 13 * SUITS.indexOf(suitOf(card)) + rankOf(card));

  assert.deepEqual(numbers, [...new Array(52).keys()]);
  assert.equal(13 * SUITS.indexOf(suitOf("7H")) + rankOf("7H"), 32);
});

test("the suits are listed in the contract's order", () => {
  assert.equal(ALL_SUITS.join(""), SUITS);
});

test("diamonds and hearts are red", () => {
  assert.deepEqual(["7C", "7D", "7H", "7S"].map(isRed), [false, true, true, false]);
});

test("each card rests on the two of the other colour one rank up, kings on aces", () => {
  const placesOf = (card) => ALL_CARDS.filter((tail) => restsOn(card, tail));

  assert.deepEqual(placesOf("KH"), ["AC", "AS"]);
  assert.deepEqual(placesOf("AC"), ["2D", "2H"]);
  assert.deepEqual(placesOf("9S"), ["TD", "TH"]);
  assert.ok(ALL_CARDS.every((card) => placesOf(card).length === 2));
});

test("the card above a king is an ace", () => {
  assert.equal(cardAbove("K", 0, "D"), "KD");
  assert.equal(cardAbove("K", 1, "D"), "AD");
  assert.equal(cardAbove("7", 12, "S"), "6S");
});

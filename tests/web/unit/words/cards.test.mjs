import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { ALL_SUITS, RANKS } from "../../../../clients/web/rules/cards.js";
import { cardLetter, cardName, rankName, suitName } from "../../../../clients/web/words/cards.js";

test("cards have the names that players of each language give them", () => {
  const names = (language) => ["7H", "QS", "AC", "TD"].map((card) => cardName(card, language));

  assert.deepEqual(names("en"), [
    "seven of hearts",
    "queen of spades",
    "ace of clubs",
    "ten of diamonds",
  ]);
  assert.deepEqual(names("vi"), ["7 cơ", "đầm bích", "át chuồn", "10 rô"]);
  assert.deepEqual(names("hr"), ["sedmica herc", "dama pik", "as tref", "desetka karo"]);
  assert.deepEqual(names("sv"), ["hjärter sju", "spader dam", "klöver ess", "ruter tio"]);
});

test("no two cards of a language have the same name", () => {
  for (const language of ["en", "vi", "hr", "sv"]) {
    const names = ALL_SUITS.flatMap((suit) =>
      [...RANKS].map((rank) => cardName(rank + suit, language)),
    );
    assert.equal(new Set(names).size, 52, language);
  }
});

test("ranks and suits are named by themselves, too", () => {
  assert.equal(rankName("K", "sv"), "kung");
  assert.equal(suitName("S", "vi"), "bích");
});

test("a ten is written with its digits, other ranks with their letter", () => {
  assert.deepEqual([..."A9TJQK"].map(cardLetter), ["A", "9", "10", "J", "Q", "K"]);
});

test("every letter that a language has on its cards can be drawn", () => {
  const source = (path) =>
    readFileSync(new URL(`../../../../clients/web/${path}`, import.meta.url), "utf8");
  const own = [...source("words/cards.js").matchAll(/letters: \{(.*?)\}/g)]
    .map(([, list]) => list)
    .join();
  const written = [...own.matchAll(/"(\w+)"/g)].map(([, letters]) => letters).join("");
  const drawn = [...source("table/glyphs.js").matchAll(/^ {2}(\w): \[/gm)].map(
    ([, glyph]) => glyph,
  );

  assert.ok(written.includes("Kn"));
  for (const letter of `${written}A234567890JQK1`) assert.ok(drawn.includes(letter), letter);
});

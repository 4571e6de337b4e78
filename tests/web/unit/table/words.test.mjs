import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { play, reveal } from "../../../../clients/web/rules/moves.js";
import { tableFromView } from "../../../../clients/web/rules/table.js";
import { PILES } from "../../../../clients/web/table/layout.js";
import {
  changeText,
  heldText,
  pileText,
  refusalText,
} from "../../../../clients/web/table/words.js";
import { en } from "../../../../clients/web/words/en.js";
import { aTable, aTableOf, aViewOf } from "../rules/vectors.mjs";

const SEEN = tableFromView(aViewOf(aTable("CF1-D3-AAAAACL")), { ruleset: "CF1", draw: 3 });

/** What is said of a move, and then of its ack. */
function saidOf(table, move, cards) {
  const shown = play(table, move).table;
  return [changeText(table, shown), changeText(shown, reveal(shown, cards))];
}

test("every pile of a table is told in words", () => {
  assert.deepEqual(
    PILES.map((pile) => pileText(SEEN, pile)),
    [
      "Stock, 34 cards",
      "Waste, empty",
      "Reserve, 13 cards: jack of diamonds",
      "Foundation of clubs, empty: starts with the seven",
      "Foundation of diamonds, empty: starts with the seven",
      "Foundation of hearts: seven of hearts",
      "Foundation of spades, empty: starts with the seven",
      "Column 1: queen of clubs",
      "Column 2: king of hearts",
      "Column 3: three of hearts",
      "Column 4: ace of spades",
    ],
  );
});

test("a column is told from its end, the waste by its last three cards", () => {
  const table = aTableOf({ columns: [["9S", "8H"]], waste: ["2C", "3C", "4C", null] });

  assert.equal(pileText(table, "1"), "Column 1, 2 cards: eight of hearts, nine of spades");
  assert.equal(
    pileText(table, "waste"),
    "Waste, 4 cards: a card face down, four of clubs, three of clubs",
  );
});

test("an empty stock says what it is good for", () => {
  assert.equal(pileText(aTableOf({ waste: ["2C"] }), "stock"), "Stock, empty: turn the waste over");
  assert.equal(pileText(aTableOf({}), "stock"), "Stock, empty, and so is the waste");
});

test("a move is told as it is shown, what it turned up as soon as it is known", () => {
  assert.deepEqual(saidOf(SEEN, "12", ["8H"]), [
    "Queen of clubs to column 2. Jack of diamonds to column 1.",
    "The reserve shows the eight of hearts.",
  ]);
  assert.deepEqual(saidOf(SEEN, "d", ["AH", "QH", "5D"]), [
    "",
    "Drawn: ace of hearts, queen of hearts, five of diamonds.",
  ]);
});

test("a run, a card that goes up and a win have their sentences", () => {
  const run = aTableOf({ columns: [["9S", "8H", "7C"], ["TD"], ["2C"], ["2S"]] });
  const last = aTableOf({ waste: ["6S"], foundations: { C: 13, D: 13, H: 13, S: 12 } });

  assert.equal(saidOf(run, "12x3", [])[0], "3 cards, nine of spades first, to column 2.");
  assert.equal(
    saidOf(last, "wf", [])[0],
    "Six of spades to its foundation. All cards are up: you have won!",
  );
});

test("of another table altogether nothing is said", () => {
  assert.equal(changeText(SEEN, aTable("CF1-D1-ZZZZZZZ")), "");
});

test("what is picked up is told", () => {
  const table = aTableOf({ columns: [["9S", "8H", "7C"]] });

  assert.match(heldText(table, { pile: "1", count: 1 }), /^Seven of clubs picked up\./);
  assert.match(heldText(table, { pile: "1", count: 3 }), /^3 cards from the nine of spades /);
});

test("a refusal says which cards, as its reader calls them", () => {
  assert.equal(
    refusalText({ rule: "T1", reason: "notOn", card: "QC", tail: "3H", column: "3" }),
    "The queen of clubs does not go on the three of hearts: down by one, red on black or black on red.",
  );
  assert.equal(
    refusalText({ rule: "F1", reason: "notNext", card: "TH", next: "9H" }),
    "The ten of hearts has to wait: the nine of hearts goes up first.",
  );
});

test("every reason that the rules know has its words, and no hole is left in them", () => {
  const rules = readFileSync(
    new URL("../../../../clients/web/rules/legality.js", import.meta.url),
    "utf8",
  );
  const listed = /@typedef \{("won"[^}]*)\} Reason/.exec(rules)[1];
  const reasons = [...listed.matchAll(/"(\w+)"/g)].map(([, reason]) => reason);

  assert.ok(reasons.length > 15);
  for (const reason of reasons) {
    assert.ok(`refusal.${reason}` in en, reason);
    const details = { card: "QC", next: "9H", tail: "3H", column: "3", count: 2, suit: "S" };
    assert.doesNotMatch(refusalText({ rule: "T1", reason, ...details }), /[{}]/);
  }
});

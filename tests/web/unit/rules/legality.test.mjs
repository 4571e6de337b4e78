import assert from "node:assert/strict";
import { test } from "node:test";

import { runLength, whyNot } from "../../../../clients/web/rules/legality.js";
import { readMove } from "../../../../clients/web/rules/move_text.js";
import { aTableOf } from "./vectors.mjs";

const WON = { C: 13, D: 13, H: 13, S: 13 };

/** Piles, a move, and the refusal it gets. */
const REFUSALS = [
  [{ foundations: WON }, "d", { rule: "W1", reason: "won" }],
  [{ foundations: WON }, "H1", { rule: "W1", reason: "won" }],
  [{}, "d", { rule: "S2", reason: "nothingToDraw" }],
  [{}, "wf", { rule: "S1", reason: "wasteEmpty" }],
  [{}, "r1", { rule: "R1", reason: "reserveEmpty" }],
  [{}, "H1", { rule: "B1", reason: "foundationEmpty", suit: "H" }],
  [{}, "12", { rule: "T2", reason: "columnEmpty", column: "1" }],
  [{ columns: [["9H", "8S"]] }, "12x3", { rule: "T2", reason: "tooFew", column: "1", count: 3 }],
  [{ columns: [["9H", "7S"]] }, "12x2", { rule: "T2", reason: "notARun", column: "1", count: 2 }],
  [{ waste: ["8H"] }, "wf", { rule: "F1", reason: "cannotStart", card: "8H", next: "7H" }],
  [
    { waste: ["9H"], foundations: { H: 1 } },
    "wf",
    { rule: "F1", reason: "notNext", card: "9H", next: "8H" },
  ],
  [
    { waste: ["9H"], columns: [["TH"]] },
    "w1",
    { rule: "T1", reason: "notOn", card: "9H", tail: "TH", column: "1" },
  ],
  [{ ruleset: "CH1", foundations: { H: 1 } }, "H1", { rule: "B1", reason: "noTakeBack" }],
  [
    { ruleset: "CH1", columns: [["9H", "8S"], ["9D"]] },
    "12",
    { rule: "T2", reason: "onlyWhole", column: "1" },
  ],
  [{ ruleset: "CH1", columns: [["9H"]] }, "12", { rule: "R3", reason: "onlyWaste", column: "2" }],
];

for (const [piles, move, refusal] of REFUSALS) {
  test(`${move} is refused by ${refusal.rule}, ${refusal.reason}: ${JSON.stringify(piles)}`, () => {
    assert.deepEqual(whyNot(aTableOf(piles), readMove(move)), refusal);
  });
}

test("a move of or onto a card nobody has seen waits for it", () => {
  const unknown = { rule: "unknown", reason: "unknown" };
  const table = aTableOf({
    waste: ["7H", null],
    reserve: ["7S", null],
    columns: [["8C", null], ["9D"], ["TC"], ["2C"]],
  });

  const refusals = ["wf", "w2", "rf", "r2", "1f", "12", "13x2", "21"].map((move) =>
    whyNot(table, readMove(move)),
  );

  assert.deepEqual(refusals, new Array(8).fill(unknown));
  assert.equal(whyNot(table, readMove("23")), null);
  assert.equal(whyNot(table, readMove("d")), null);
});

test("an empty column of CH1 takes the waste top, of CF1 anything", () => {
  const piles = { waste: ["2H"], columns: [["9H"]], foundations: { S: 1 } };

  const legal = (ruleset) =>
    ["w2", "12", "S2"].map((move) => whyNot(aTableOf({ ...piles, ruleset }), readMove(move)));

  assert.deepEqual(legal("CF1"), [null, null, null]);
  assert.deepEqual(
    legal("CH1").map((refusal) => refusal?.rule),
    [undefined, "R3", "B1"],
  );
});

test("a complete foundation takes no card more", () => {
  const table = aTableOf({ waste: ["7H"], foundations: { H: 13 } });

  assert.deepEqual(whyNot(table, readMove("wf")), {
    rule: "F1",
    reason: "notNext",
    card: "7H",
    next: undefined,
  });
});

test("a run reaches up to where colour or rank breaks, or a card is unknown", () => {
  assert.equal(runLength([]), 0);
  assert.equal(runLength(["9H"]), 1);
  assert.equal(runLength(["9H", "8D", "7S", "6D"]), 3);
  assert.equal(runLength(["9H", "7S", "6D"]), 2);
  assert.equal(runLength([null, "8S", "7D"]), 2);
  assert.equal(runLength(["9H", null]), 0);
});

test("a run goes on around the ace and can be longer than 13 cards", () => {
  const run = [..."3D 2C AD KC QD JC TD 9C 8D 7C 6D 5C 4D 3C 2H".split(" ")];

  assert.equal(runLength(run), 15);
});

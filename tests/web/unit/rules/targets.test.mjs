import assert from "node:assert/strict";
import { test } from "node:test";
import { readMove } from "../../../../clients/web/rules/move_text.js";
import { legalMoves, play } from "../../../../clients/web/rules/moves.js";
import { moveBetween, resolveTap, targets } from "../../../../clients/web/rules/targets.js";
import { aTable, aTableOf, vectors } from "./vectors.mjs";

const TO_COLUMNS = { toColumns: true };
const PILES = ["stock", "waste", "reserve", "1", "2", "3", "4", "C", "D", "H", "S"];

function sourceOf(tap) {
  const [pile, count = "1"] = tap.split("x");
  return { pile: { w: "waste", r: "reserve" }[pile] ?? pile, count: Number(count) };
}

function tapped(table, pile, count = 1, options = TO_COLUMNS) {
  const { move, refusal } = resolveTap(table, { pile, count }, options);
  return move ?? refusal.rule;
}

for (const [number, { code, moves, taps }] of vectors("taps.json").taps.entries()) {
  test(`taps ${number}, ${code}, become the published moves`, () => {
    const table = moves.reduce((before, move) => play(before, move).table, aTable(code));

    const found = Object.keys(taps).map((tap) => {
      const answer = resolveTap(table, sourceOf(tap), TO_COLUMNS);
      assert.equal("refusal" in answer, !("move" in answer));
      return [tap, answer.move ?? null];
    });

    assert.deepEqual(Object.fromEntries(found), taps);
  });
}

test("a tap goes up before it goes to a column", () => {
  const piles = { waste: ["7H"], columns: [["8S"]] };

  assert.equal(tapped(aTableOf(piles), "waste"), "wf");
});

test("a tap goes to the longest column, the leftmost of equals, and never to its own", () => {
  const two = aTableOf({ waste: ["7D"], columns: [["8C"], ["9H", "8S"], ["8S"], []], base: "2" });
  const equal = aTableOf({ waste: ["7D"], columns: [[], ["8C"], ["8S"], []], base: "2" });
  const own = aTableOf({ columns: [["8C", "7D"], ["8S"], [], []], base: "2" });

  assert.equal(tapped(two, "waste"), "w2");
  assert.equal(tapped(equal, "waste"), "w2");
  assert.equal(tapped(own, "1"), "12");
});

test("a run of 26 cards would go on its own end, but goes elsewhere", () => {
  const ranks = [..."KQJT98765432A"];
  const run = ["HC", "SD"].flatMap((suits) => ranks.map((rank, i) => rank + suits[i % 2]));
  const table = aTableOf({ columns: [run, ["AC"], ["3H"], ["4S"]] });

  assert.equal(tapped(table, "1", 26), "12x26");
  assert.deepEqual(targets(table, { pile: "1", count: 26 }), [{ pile: "2", move: "12x26" }]);
});

test("a tap takes an empty column last, the first one", () => {
  const beside = aTableOf({ waste: ["7D"], columns: [[], ["8C"]], base: "2" });
  const alone = aTableOf({ waste: ["7D"], columns: [["KC"], [], []], base: "2" });

  assert.equal(tapped(beside, "waste"), "w2");
  assert.equal(tapped(alone, "waste"), "w2");
});

test("a tap on several cards thinks of columns only", () => {
  const table = aTableOf({ columns: [["8S", "7H"], ["9D"], ["KC"], ["QC"]] });

  assert.equal(tapped(table, "1", 2), "12x2");
  assert.equal(tapped(table, "1", 1), "1f");
});

test("in CH1 a tap on a longer column's last card thinks of the foundation only", () => {
  const columns = [["TS", "9H"], ["TC"], ["3C"], ["4C"]];

  assert.equal(tapped(aTableOf({ ruleset: "CH1", columns, foundations: { H: 2 } }), "1"), "1f");
  assert.equal(tapped(aTableOf({ ruleset: "CH1", columns }), "1"), "T2");
  assert.equal(tapped(aTableOf({ ruleset: "CF1", columns }), "1"), "12");
});

test("taps that are kept from columns go up or nowhere", () => {
  const table = aTableOf({ waste: ["7D"], reserve: ["2C"], columns: [["8C"], ["3H"]], base: "7" });

  assert.equal(tapped(table, "waste", 1, { toColumns: false }), "wf");
  assert.equal(tapped(table, "reserve", 1, { toColumns: false }), "A1");
  assert.equal(tapped(table, "reserve"), "r2");
});

test("a tap on the stock draws, if there is anything to draw", () => {
  assert.equal(tapped(aTableOf({ stock: [null] }), "stock"), "d");
  assert.equal(tapped(aTableOf({ waste: ["2C"] }), "stock"), "d");
  assert.equal(tapped(aTableOf({}), "stock"), "S2");
});

test("a tap that cannot be told yet waits, one on nothing says what is empty", () => {
  const table = aTableOf({ waste: [null], columns: [[null], ["3H"], ["4S"], ["JD"]] });

  assert.equal(tapped(table, "waste"), "unknown");
  assert.equal(tapped(table, "2"), "23");
  assert.equal(tapped(table, "4"), "unknown");
  assert.equal(tapped(table, "reserve"), "R1");
  assert.equal(tapped(table, "H"), "B1");
  assert.equal(tapped(aTableOf({ foundations: { H: 1 } }), "H"), "A1");
});

test("the places of a source are every pile that takes it", () => {
  const table = aTableOf({
    waste: ["7S"],
    columns: [["8H"], ["8D", "7C"], [], ["JC"]],
    foundations: { H: 1 },
  });

  assert.deepEqual(targets(table, { pile: "waste", count: 1 }), [
    { pile: "S", move: "wf" },
    { pile: "1", move: "w1" },
    { pile: "3", move: "w3" },
  ]);
  assert.deepEqual(targets(table, { pile: "2", count: 2 }), [{ pile: "3", move: "23x2" }]);
  assert.deepEqual(targets(table, { pile: "H", count: 1 }), [{ pile: "3", move: "H3" }]);
  assert.deepEqual(targets(table, { pile: "reserve", count: 1 }), []);
  assert.deepEqual(targets(table, { pile: "stock", count: 1 }), []);
});

test("a drop where nothing of its kind goes says why", () => {
  const table = aTableOf({
    stock: ["2C"],
    waste: ["7S"],
    columns: [["8H"], ["9H", "8C"]],
    foundations: { H: 1 },
  });
  const refusalOf = (pile, count, target) => moveBetween(table, { pile, count }, target).refusal;

  assert.deepEqual(refusalOf("waste", 1, "reserve"), { rule: "R1", reason: "takesNothing" });
  assert.deepEqual(refusalOf("1", 1, "waste"), { rule: "S1", reason: "takesNothing" });
  assert.deepEqual(refusalOf("1", 1, "stock"), { rule: "S1", reason: "takesNothing" });
  assert.deepEqual(refusalOf("2", 2, "C"), { rule: "F1", reason: "oneAtATime" });
  assert.deepEqual(refusalOf("H", 1, "S"), { rule: "F1", reason: "otherSuit", suit: "S" });
  assert.deepEqual(refusalOf("waste", 1, "waste"), { rule: "A1", reason: "nowhere" });
  assert.deepEqual(refusalOf("stock", 1, "1"), { rule: "A1", reason: "nowhere" });
  assert.deepEqual(refusalOf("reserve", 1, "1"), { rule: "R1", reason: "reserveEmpty" });
  assert.deepEqual(refusalOf("waste", 1, "H"), {
    rule: "F1",
    reason: "otherSuit",
    card: "7S",
    suit: "H",
  });
});

test("drops, places and the list of legal moves agree all through the published games", () => {
  for (const { code, steps } of vectors("games.json").filter(({ won }) => won)) {
    let table = aTable(code);
    for (const { move } of steps) {
      const sources = legalMoves(table)
        .filter((text) => text !== "d")
        .map(readMove)
        .map(({ source, count }) => ({ pile: source, count }));
      for (const source of sources) {
        const drops = PILES.map((pile) => ({ pile, ...moveBetween(table, source, pile) }));
        const legal = drops.filter((drop) => "move" in drop);
        assert.deepEqual(sorted(targets(table, source)), sorted(legal));
      }
      table = play(table, move).table;
    }
  }
});

function sorted(places) {
  return places.map(({ pile, move }) => `${pile} ${move}`).sort();
}

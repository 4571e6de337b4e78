import assert from "node:assert/strict";
import { test } from "node:test";

import { legalMoves, play, reveal } from "../../../../clients/web/rules/moves.js";
import { hashOf, writePosition } from "../../../../clients/web/rules/position.js";
import { tableFromView } from "../../../../clients/web/rules/table.js";
import { aTable, aTableOf, aViewOf, vectors } from "./vectors.mjs";

/** What an ack tells of a move: the cards drawn, or a new top of the reserve. */
function revealedBy(move, before, after) {
  if (move === "d") return after.waste.slice(before.waste.length);
  return after.reserve.length < before.reserve.length ? after.reserve.slice(-1) : [];
}

/** The table as its player sees it, nothing remembered. */
function seen(table) {
  return tableFromView(aViewOf(table), table);
}

for (const edge of vectors("edges.json")) {
  for (const ruleset of ["CF1", "CH1"]) {
    const tableOf = (piles) => aTableOf({ ...edge, ...piles, ruleset });
    const verdict = edge[ruleset] ? "legal" : "refused";
    test(`in ${ruleset} ${edge.move} is ${verdict}: ${edge.name}`, () => {
      const before = tableOf(edge.before);

      const played = play(before, edge.move);

      if (edge[ruleset]) assert.deepEqual(played, { table: tableOf(edge.after) });
      else assert.deepEqual(Object.keys(played), ["refusal"]);
      assert.equal(legalMoves(before).includes(edge.move), edge[ruleset]);
      assert.deepEqual(before, tableOf(edge.before));
    });
  }
}

for (const [number, { code, steps }] of vectors("games.json").entries()) {
  test(`game ${number}, ${code}, goes the same by what its player sees`, () => {
    let known = aTable(code);
    let shown = seen(known);
    const passed = [];
    for (const { move, hash } of steps) {
      if (move === "u") {
        known = passed.pop();
        shown = seen(known);
      } else {
        passed.push(known);
        const after = play(known, move).table;
        shown = reveal(play(shown, move).table, revealedBy(move, known, after));
        known = after;
      }
      assert.equal(writePosition(shown), writePosition(known));
      assert.equal(hashOf(shown), hash);
      assert.deepEqual(legalMoves(shown), legalMoves(known));
    }
  });
}

test("unknown cards are drawn, and known once told", () => {
  const table = aTableOf({ stock: [null, null, null, null], waste: ["2C"] });

  const drawn = play(table, "d").table;
  assert.deepEqual([drawn.stock, drawn.waste], [[null], ["2C", null, null, null]]);
  assert.deepEqual(reveal(drawn, ["3C", "4C", "5C"]).waste, ["2C", "3C", "4C", "5C"]);
});

test("a short draw turns up what is left", () => {
  const drawn = play(aTableOf({ stock: [null, null], waste: ["2C"] }), "d").table;

  assert.deepEqual(drawn.waste, ["2C", null, null]);
  assert.deepEqual(reveal(drawn, ["3C", "4C"]).waste, ["2C", "3C", "4C"]);
});

test("a waste turned over keeps its known cards known, and its unknown ones unknown", () => {
  const turned = play(aTableOf({ waste: ["2C", "3C", null] }), "d").table;

  assert.deepEqual([turned.stock, turned.waste], [["2C", "3C", null], []]);
  assert.deepEqual(play(turned, "d").table.waste, ["2C", "3C", null]);
  assert.equal(reveal(turned, []), turned);
});

test("what is known already stays when it is told again", () => {
  const drawn = play(aTableOf({ stock: ["2C", "3C", "4C"], reserve: [null, "8C"] }), "d").table;

  assert.equal(reveal(drawn, ["2C", "3C", "4C"]), drawn);
});

test("an ack that turns up nothing leaves what is unknown as it is", () => {
  const table = aTableOf({ waste: ["2C", null], reserve: [null, null] });

  assert.equal(reveal(table, []), table);
});

test("the reserve's next card is unknown until told", () => {
  const columns = [["9D"], ["TC"], ["KC"], ["QC"]];
  const table = aTableOf({ reserve: [null, null, "8C"], columns });

  const played = play(table, "r1").table;
  assert.deepEqual(
    [played.reserve, played.columns[0]],
    [
      [null, null],
      ["9D", "8C"],
    ],
  );
  assert.deepEqual(reveal(played, ["5H"]).reserve, [null, "5H"]);
});

test("a column that becomes empty is filled from the reserve, be its card told or not", () => {
  const columns = [["9D"], ["TC"], ["KC"], ["QC"]];

  const filled = play(aTableOf({ reserve: [null, "8C"], columns }), "12").table;
  assert.deepEqual([filled.reserve, filled.columns[0]], [[null], ["8C"]]);
  assert.deepEqual(reveal(filled, ["5H"]).reserve, ["5H"]);
  const ahead = play(aTableOf({ reserve: [null, null], columns }), "12").table;
  assert.deepEqual([ahead.reserve, ahead.columns[0]], [[null], [null]]);
});

test("moves are played ahead of what the server tells, as far as cards are known", () => {
  const table = aTableOf({ stock: [null], waste: ["8C"], columns: [["9D"], ["TS"], [], []] });

  const ahead = ["w1", "12x2", "d", "d", "d"].reduce((t, move) => play(t, move).table, table);

  assert.deepEqual(ahead.columns[1], ["TS", "9D", "8C"]);
  assert.deepEqual([ahead.stock, ahead.waste], [[], [null]]);
  assert.deepEqual(play(ahead, "w1").refusal, { rule: "unknown", reason: "unknown" });
});

test("a column stays empty when the reserve is exhausted", () => {
  const { table } = play(aTableOf({ columns: [["9D"], ["TC"]] }), "12");

  assert.deepEqual(table.columns, [[], ["TC", "9D"], [], []]);
});

test("draw 1 turns one card", () => {
  const { table } = play(aTableOf({ draw: 1, stock: ["2C", "3C"] }), "d");

  assert.deepEqual([table.stock, table.waste], [["3C"], ["2C"]]);
});

test("a card taken back leaves its foundation one lower", () => {
  const table = aTableOf({ columns: [["9S"]], foundations: { H: 2 } });

  const taken = play(table, "H1").table;

  assert.deepEqual(taken.columns[0], ["9S", "8H"]);
  assert.equal(taken.foundations.H, 1);
  assert.deepEqual(play(taken, "1f").table, table);
});

test("taps, undo and nonsense are no moves to play", () => {
  const table = aTableOf({ stock: ["2C"], waste: ["7H"] });

  for (const text of ["w", "1x2", "u", "11", "hello"]) {
    assert.deepEqual(play(table, text), { refusal: { rule: "unknown", reason: "unreadable" } });
  }
});

test("a run of 15 cards moves whole or in part", () => {
  const run = "3D 2C AD KC QD JC TD 9C 8D 7C 6D 5C 4D 3C 2H".split(" ");
  const table = aTableOf({ columns: [run, ["4S"], ["3S"], []] });

  assert.deepEqual(play(table, "12x15").table.columns[1], ["4S", ...run]);
  const moves = legalMoves(table).filter((move) => move.startsWith("1"));
  const anywhere = ["14", ...Array.from({ length: 14 }, (_, i) => `14x${i + 2}`)];
  assert.deepEqual(moves, ["12x15", "13", ...anywhere].sort());
});

test("there is no legal move once won", () => {
  assert.deepEqual(legalMoves(aTableOf({ foundations: { C: 13, D: 13, H: 13, S: 13 } })), []);
});

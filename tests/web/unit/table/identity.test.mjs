import assert from "node:assert/strict";
import test from "node:test";

import { play, reveal } from "../../../../clients/web/rules/moves.js";
import { freezeTable, tableFromView } from "../../../../clients/web/rules/table.js";
import { matchPlaces, originOf } from "../../../../clients/web/table/identity.js";
import { layOut } from "../../../../clients/web/table/layout.js";
import { aTable, aTableOf, aViewOf } from "../rules/vectors.mjs";
import { BOXES } from "./boxes.mjs";

/** The example deal as its player sees it. */
const SEEN = tableFromView(aViewOf(aTable("CF1-D3-AAAAACL")), { ruleset: "CF1", draw: 3 });

/** For each place of a table, where its card lay before: "reserve:12", or "-" for a new one. */
function cameFrom(before, after) {
  const [old, places] = [before, after].map((table) => layOut(table, BOXES["a laptop"]).places);
  const name = ({ pile, index }) => `${pile}:${index}`;
  return Object.fromEntries(
    matchPlaces(old, places).map((match, i) => [
      name(places[i]),
      old[match] ? name(old[match]) : "-",
    ]),
  );
}

test("a card is the same wherever it goes, the one that refills the column too", () => {
  const { table } = play(SEEN, "12");

  const from = cameFrom(SEEN, table);

  assert.equal(from["2:1"], "1:0");
  assert.equal(from["1:0"], "reserve:12");
  assert.equal(from["reserve:11"], "reserve:11");
});

test("a card that is told is the one that lay there unknown", () => {
  const { table } = play(SEEN, "12");
  const known = reveal(table, ["8H"]);
  const drawn = play(known, "d").table;

  assert.equal(cameFrom(table, known)["reserve:11"], "reserve:11");
  assert.equal(cameFrom(drawn, reveal(drawn, ["AH", "QH", "5D"]))["waste:1"], "waste:1");
});

test("no card is taken for two", () => {
  const matches = Object.values(cameFrom(SEEN, play(SEEN, "12").table)).filter(
    (from) => from !== "-",
  );

  assert.equal(new Set(matches).size, matches.length);
});

test("new cards come out of the pile that has given them", () => {
  const drawn = play(SEEN, "d").table;
  const turnable = aTableOf({ waste: ["2C", "3C"] });

  assert.equal(originOf(SEEN, drawn, "waste"), "stock");
  assert.equal(originOf(turnable, play(turnable, "d").table, "stock"), "waste");
  assert.equal(originOf(SEEN, play(SEEN, "12").table, "1"), "reserve");
});

test("what an undo uncovers just lies there", () => {
  const drawn = play(SEEN, "d").table;

  assert.equal(originOf(drawn, SEEN, "waste"), null);
  assert.equal(originOf(drawn, SEEN, "stock"), null);
});

test("a first table is dealt from its stock", () => {
  const table = freezeTable(SEEN);

  assert.equal(originOf(null, table, "2"), "stock");
  assert.equal(originOf(null, table, "stock"), null);
});

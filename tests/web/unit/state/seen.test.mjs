import assert from "node:assert/strict";
import { test } from "node:test";

import { tableFromView } from "../../../../clients/web/rules/table.js";
import { fitTogether } from "../../../../clients/web/state/seen.js";
import { aServerGame } from "./pretend_server.mjs";

const CF1 = { ruleset: "CF1", draw: 3 };
const game = aServerGame();
const full = game.table;
const seen = tableFromView(game.view(), CF1);

test("two views of one table know together what either knows", () => {
  assert.deepEqual(fitTogether(seen, full), full);
  assert.deepEqual(fitTogether(full, seen), full);
  assert.deepEqual(fitTogether(seen, seen), seen);
});

test("where one card, or one number of cards, differs it is another table", () => {
  const changes = {
    base: { base: "8" },
    stock: { stock: full.stock.slice(1) },
    stockCard: { stock: ["JD", ...full.stock.slice(1)] },
    waste: { waste: ["AH"] },
    reserve: { reserve: full.reserve.slice(1) },
    reserveTop: { reserve: [...full.reserve.slice(0, -1), "AH"] },
    column: { columns: [["AH"], ...full.columns.slice(1)] },
    columnLength: { columns: [[...full.columns[0], "AH"], ...full.columns.slice(1)] },
    foundations: { foundations: { ...full.foundations, H: 2 } },
  };
  for (const [name, change] of Object.entries(changes)) {
    assert.equal(fitTogether(full, { ...full, ...change }), null, name);
    assert.equal(fitTogether({ ...full, ...change }, full), null, name);
  }
});

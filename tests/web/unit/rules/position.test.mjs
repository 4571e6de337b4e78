import assert from "node:assert/strict";
import { test } from "node:test";

import { hashOf, writePosition } from "../../../../clients/web/rules/position.js";
import { aTable, aTableOf } from "./vectors.mjs";

test("the example's start is written as published", () => {
  const table = aTable("CF1-D3-AAAAACL");

  assert.equal(writePosition(table), "34||13:JD|QC/KH/3H/AS|0,0,1,0");
  assert.equal(hashOf(table), "5f8aa2c9");
});

test("empty columns and an empty reserve are dashes", () => {
  const table = aTableOf({ waste: ["2C", "3D"], columns: [[], ["4H", "3S"]], stock: ["KD"] });

  assert.equal(writePosition(table), "1|2C,3D|0:-|-/4H.3S/-/-|0,0,0,0");
});

test("a position is unknown while a card that lies open is", () => {
  const open = [
    { waste: ["2C", null, "3D"] },
    { columns: [["2C"], [null]] },
    { reserve: ["2C", null] },
  ].map(aTableOf);

  assert.deepEqual(open.map(writePosition), [null, null, null]);
  assert.deepEqual(open.map(hashOf), [null, null, null]);
});

test("cards that lie face down may be unknown", () => {
  const table = aTableOf({ stock: [null, null], reserve: [null, "2C"] });

  assert.equal(writePosition(table), "2||2:2C|-/-/-/-|0,0,0,0");
});

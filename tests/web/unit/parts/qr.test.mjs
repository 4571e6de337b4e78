import assert from "node:assert/strict";
import { test } from "node:test";

import { qrMatrix } from "../../../../clients/web/parts/qr.js";

const LENGTHS = [1, 26, 42, 62, 84, 106, 122, 152, 180, 213];
const FINDER = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"];

/** All words of the format: the 15 bits that stand for error correction M and each mask. */
const FORMATS_OF_M = [
  "101010000010010",
  "101000100100101",
  "101111001111100",
  "101101101001011",
  "100010111111001",
  "100000011001110",
  "100111110010111",
  "100101010100000",
];

/** A part of a matrix as lines of 0 and 1. */
function part(matrix, x, y, width, height) {
  return matrix.slice(y, y + height).map((row) =>
    row
      .slice(x, x + width)
      .map(Number)
      .join(""),
  );
}

for (const [i, length] of LENGTHS.entries()) {
  const version = i + 1;
  const matrix = qrMatrix("x".repeat(length));
  const size = 17 + 4 * version;

  test(`version ${version} is square and has its three corners`, () => {
    assert.equal(matrix.length, size);
    assert.ok(matrix.every((row) => row.length === size));
    assert.deepEqual(part(matrix, 0, 0, 7, 7), FINDER);
    assert.deepEqual(part(matrix, size - 7, 0, 7, 7), FINDER);
    assert.deepEqual(part(matrix, 0, size - 7, 7, 7), FINDER);
    assert.deepEqual(part(matrix, 0, 7, 8, 1), ["00000000"]);
    assert.deepEqual(part(matrix, size - 8, 7, 8, 1), ["00000000"]);
    assert.deepEqual(part(matrix, 0, size - 8, 8, 1), ["00000000"]);
  });

  test(`version ${version} keeps time between its corners`, () => {
    const [row] = part(matrix, 8, 6, size - 16, 1);
    const column = part(matrix, 6, 8, 1, size - 16).join("");
    assert.match(row, /^1(01)*$/);
    assert.equal(column, row);
  });

  test(`version ${version} names error correction M and its mask, twice`, () => {
    const column = part(matrix, 8, 0, 1, size).join("");
    const [row] = part(matrix, 0, 8, size, 1);
    const once =
      row.slice(0, 6) + row.slice(7, 9) + column[7] + [...column.slice(0, 6)].reverse().join("");
    const again = [...column.slice(size - 7)].reverse().join("") + row.slice(size - 8);
    assert.ok(FORMATS_OF_M.includes(once), once);
    assert.equal(again, once);
    assert.equal(column[size - 8], "1");
  });
}

test("from version 7 on the version stands beside two corners", () => {
  const matrix = qrMatrix("x".repeat(122));
  const upper = part(matrix, 34, 0, 3, 6)
    .reverse()
    .map((line) => [...line].reverse().join(""));
  assert.equal(upper.join(""), "000111110010010100");
  const lower = part(matrix, 0, 34, 6, 3);
  const turned = [5, 4, 3, 2, 1, 0].map((x) => [2, 1, 0].map((y) => lower[y][x]).join("")).join("");
  assert.equal(turned, upper.join(""));
});

test("texts of the same length differ in what they say", () => {
  assert.notDeepEqual(qrMatrix("Ana"), qrMatrix("Bea"));
});

test("a text beyond the largest version is refused", () => {
  assert.throws(() => qrMatrix("x".repeat(214)), RangeError);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { legalMoves } from "../../../../clients/web/rules/moves.js";
import { hashOf, writePosition } from "../../../../clients/web/rules/position.js";
import { isWon } from "../../../../clients/web/rules/table.js";
import { replay } from "../../../../clients/web/state/replay.js";
import { aDeal, aDealOf, vectors } from "../rules/vectors.mjs";

const EXAMPLE = aDeal("CF1-D3-AAAAACL");

function aGame(moves) {
  return { moves, times_ms: moves.map((_, i) => i * 1000) };
}

for (const [number, { code, start, steps, won }] of vectors("games.json").entries()) {
  test(`game ${number}, ${code}, replays as published at every step`, () => {
    const game = replay(aDeal(code), aGame(steps.map(({ move }) => move)));

    assert.equal(game.tables.length, steps.length + 1);
    for (const [i, step] of [{ ...start, placed: 1 }, ...steps].entries()) {
      const table = game.tables[i];
      assert.deepEqual(
        [hashOf(table), game.scores[i], game.placed[i]],
        [step.hash, step.points, step.placed],
        `after move ${i}, ${step.move}`,
      );
      if (step.position) assert.equal(writePosition(table), step.position);
      if (step.legal) assert.deepEqual(legalMoves(table), step.legal);
    }
    assert.equal(isWon(game.tables[steps.length]), won);
  });
}

for (const { id, deck, ...verdicts } of vectors("verdicts.json")) {
  for (const variant of ["CF1-D3", "CF1-D1", "CH1-D3"]) {
    const line = verdicts[variant]?.line;
    if (!line) continue;
    test(`the winning line of deck ${id} wins in ${variant}`, () => {
      const game = replay(aDealOf(deck, variant), aGame(line.split(" ")));

      assert.ok(isWon(game.tables.at(-1)));
      assert.equal(game.placed.at(-1), 52);
      if (variant === "CH1-D3") assert.equal(game.scores.at(-1), 450);
    });
  }
}

test("the example is won with 255 points", () => {
  const game = replay(EXAMPLE, aGame(vectors("example_win.json")));

  assert.deepEqual([game.placed.at(-1), game.scores.at(-1)], [52, 255]);
});

test("a hundred undos go back as published", () => {
  const { code, moves, hashes_after_each_undo: hashes } = vectors("taps.json").undo;

  const game = replay(aDeal(code), aGame([...moves, ...new Array(100).fill("u")]));

  assert.deepEqual(game.tables.slice(moves.length + 1).map(hashOf), hashes);
});

test("a card taken back costs nothing, earns again, and undo takes the points away", () => {
  const deal = {
    ...EXAMPLE,
    reserve: ["2C", "2D"],
    columns: [["8H"], ["9S"], ["4C"], ["5C"]],
    stock: [],
  };

  const { scores, placed } = replay(deal, aGame(["1f", "H2", "2f", "u", "u", "u"]));

  assert.deepEqual(scores, [0, 5, 5, 10, 5, 5, 0]);
  assert.deepEqual(placed, [1, 2, 1, 2, 1, 2, 1]);
});

test("a replay keeps the moves and their times", () => {
  const game = replay(EXAMPLE, aGame(["12", "u", "d"]));

  assert.deepEqual(game.moves, ["12", "u", "d"]);
  assert.deepEqual(game.timesMs, [0, 1000, 2000]);
  assert.equal(game.tables[2], game.tables[0]);
});

test("moves that are none of the deal's are an error", () => {
  assert.throws(() => replay(EXAMPLE, aGame(["12", "13"])), /13 is refused by rule/);
  assert.throws(() => replay(EXAMPLE, aGame(["12", "u", "u"])), /takes back more/);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { legalMoves } from "../../../../clients/web/rules/moves.js";
import { confirm, groundOf, settle, step } from "../../../../clients/web/state/ground.js";
import { fitTogether } from "../../../../clients/web/state/seen.js";
import { seeded } from "../wire/virtual.mjs";
import { aRoom, aServerGame } from "./pretend_server.mjs";

const ROOM = aRoom();

/** Plays at random on both sides; `check` sees both after every action. */
function playBoth({ seed, room = ROOM, actions = 200, check }) {
  const chance = seeded(seed);
  const game = aServerGame({ deal: seed % 5, ...room });
  let ground = groundOf(game.view(), room);
  for (let ply = 0; ply < actions && game.state === "racing"; ply += 1) {
    const moves = legalMoves(ground.table);
    const takesBack = ground.undoLeft > 0 && chance() < 0.2;
    const move = takesBack ? "u" : moves[Math.floor(chance() * moves.length)];
    const ahead = step(ground, move, room);
    const ack = game.take(ply, move);
    const confirmed = confirm(ground, ack, room);
    ground = confirmed.ground;
    check({ ahead, confirmed, game, ack });
  }
}

const ROOMS = {
  "CF1 draw 3": ROOM,
  "CF1 draw 1": aRoom({ draw: 1 }),
  "CF1 without undo": aRoom({ undo: false }),
  CH1: aRoom({ ruleset: "CH1", undo: false }),
};
for (const [name, room] of Object.entries(ROOMS)) {
  test(`${name}: what is shown ahead is what the server will say, undo and points included`, () => {
    for (let seed = 1; seed <= 4; seed += 1) {
      playBoth({
        seed,
        room,
        check({ ahead, confirmed, game, ack }) {
          const { ground, agrees } = confirmed;
          assert.equal(agrees, true);
          assert.deepEqual([ahead.ply, ahead.score], [ack.ply + 1, ack.score]);
          assert.deepEqual([ground.ply, ground.score], [ack.ply + 1, ack.score]);
          assert.equal(ground.undoLeft, game.view().undo_left);
          assert.ok(fitTogether(ground.table, game.table));
          assert.ok(fitTogether(ahead.table, game.table));
        },
      });
    }
  });
}

test("history is as deep as undo is, and no deeper", () => {
  const game = aServerGame();
  let ground = groundOf(game.view(), ROOM);
  for (let ply = 0; ply < 130; ply += 1) ground = confirm(ground, game.take(ply, "d"), ROOM).ground;
  assert.deepEqual([ground.history.length, ground.undoLeft], [100, 100]);
});

test("after an undo what lay there before is still known", () => {
  const game = aServerGame();
  let ground = groundOf(game.view(), ROOM);
  const moves = ["12", "d", "d", "u"];
  for (const [ply, move] of moves.entries()) {
    ground = confirm(ground, game.take(ply, move), ROOM).ground;
  }
  assert.deepEqual([ground.history.length, ground.undoLeft], [2, 2]);
  assert.deepEqual(step(ground, "u", ROOM).table.waste, []);
});

test("a view of the same table leaves what is known beyond it", () => {
  const game = aServerGame();
  let ground = groundOf(game.view(), ROOM);
  for (let ply = 0; ply < 13; ply += 1) ground = confirm(ground, game.take(ply, "d"), ROOM).ground;
  assert.deepEqual(ground.table.stock.slice(0, 3), ["AH", "QH", "5D"]);
  const settled = settle(ground, game.view(), ROOM);
  assert.deepEqual(settled.table, ground.table);
  assert.equal(settled.history.length, 13);
  const shallow = settle(ground, { ...game.view(), undo_left: 4 }, ROOM);
  assert.deepEqual([shallow.history.length, shallow.undoLeft], [4, 4]);
  assert.deepEqual(settle(ground, { ...game.view(), undo_left: 0 }, ROOM).history, []);
});

test("a view of another table, or another ply, is not settled with", () => {
  const game = aServerGame();
  const ground = groundOf(game.view(), ROOM);
  assert.equal(settle(null, game.view(), ROOM), null);
  assert.equal(settle(ground, { ...game.view(), ply: 1 }, ROOM), null);
  assert.equal(settle(ground, { ...game.view(), waste: ["AH"] }, ROOM), null);
});

test("what is won is over: nothing can be taken back", () => {
  const view = {
    ...aServerGame().view(),
    base: "A",
    waste: ["KS"],
    stock_count: 0,
    reserve_count: 0,
    reserve_top: null,
    columns: [[], [], [], []],
    foundations: { C: 13, D: 13, H: 13, S: 12 },
    undo_left: 9,
  };
  for (const [ruleset, score] of [
    ["CF1", 5],
    ["CH1", 450],
  ]) {
    const room = aRoom({ ruleset });
    const won = step(groundOf(view, room), "wf", room);
    assert.deepEqual([won.undoLeft, won.history, won.score], [0, [], score]);
    assert.equal(step(won, "u", room), null);
  }
});

test("a card taken back to a column costs no points", () => {
  const view = {
    ...aServerGame().view(),
    base: "A",
    columns: [["3S"], ["5H"], ["7H"], ["9H"]],
    foundations: { C: 0, D: 0, H: 2, S: 0 },
    score: 40,
  };
  const back = step(groundOf(view, ROOM), "H1", ROOM);
  assert.deepEqual(back.table.columns[0], ["3S", "2H"]);
  assert.equal(back.score, 40);
  assert.equal(step(back, "1f", ROOM).score, 45);
});

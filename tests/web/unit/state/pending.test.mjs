import assert from "node:assert/strict";
import { test } from "node:test";

import * as races from "../../../../clients/web/state/race.js";
import { after, aRace, move, played, plies, sent } from "./playing.mjs";
import { aRoom, aServerGame } from "./pretend_server.mjs";

test("a move shows at once and is sent once", () => {
  const { race } = aRace();
  const [next, frames] = sent(races.makeMove(races.makeMove(race, "12"), "d"));
  assert.deepEqual(frames, [move(0, "12"), move(1, "d")]);
  assert.deepEqual(next.shown.table.columns[1], ["KH", "QC"]);
  assert.deepEqual(next.shown.table.waste, [null, null, null]);
  assert.equal(next.shown.ply, 2);
  assert.equal(next.ground.ply, 0);
  assert.deepEqual(sent(next)[1], []);
});

test("what the rules forbid is not even tried", () => {
  const { race } = aRace();
  for (const text of ["14", "wf", "w", "nonsense", ""]) {
    assert.equal(races.makeMove(race, text), race, text);
  }
});

test("points are shown ahead as they will be counted", () => {
  for (const [ruleset, start] of [
    ["CF1", 0],
    ["CH1", -45],
  ]) {
    const undo = ruleset === "CF1";
    const game = aServerGame({ ruleset, undo });
    const { race } = aRace({ game, room: aRoom({ ruleset, undo }) });
    assert.equal(race.shown.score, start, ruleset);
    const once = after(played(race, "12"), game.take(0, "12"));
    const ahead = races.makeMove(once, "rf");
    assert.deepEqual([ahead.shown.score, ahead.shown.placed], [start + 5, 2], ruleset);
    assert.equal(game.take(1, "rf").score, ahead.shown.score);
  }
});

test("undoing a move takes its points away", () => {
  const { race, game } = aRace();
  const once = after(played(race, "12"), game.take(0, "12"));
  const ahead = races.makeMove(once, "rf");
  const back = races.undo(ahead);
  assert.deepEqual([ahead.shown.score, ahead.shown.placed], [5, 2]);
  assert.deepEqual([back.shown.score, back.shown.placed], [0, 1]);
});

test("no more than a socket takes at once can wait for answers", () => {
  let { race } = aRace();
  for (let n = 0; n < 200; n += 1) race = races.makeMove(race, "d");
  assert.equal(race.pending.length, 128);
});

test("an undo shows at once what was there before", () => {
  const { race, game } = aRace();
  const once = after(played(race, "12"), game.take(0, "12"));
  assert.equal(races.undoLeft(once), 1);
  const back = races.undo(once);
  assert.deepEqual(back.shown.table, race.shown.table);
  assert.deepEqual([back.shown.ply, races.undoLeft(back)], [2, 0]);
  assert.equal(races.undo(back), back);
  const [now] = sent(back);
  const confirmed = after(now, game.take(1, "u"));
  assert.deepEqual([confirmed.ground.ply, plies(confirmed), confirmed.wantsSync], [2, [], false]);
  assert.deepEqual(confirmed.shown.table.columns, race.shown.table.columns);
});

test("an undo to what is not known here waits for the server, and moves wait with it", () => {
  const game = aServerGame();
  game.take(0, "12");
  game.take(1, "d");
  const { race } = aRace({ game });
  const shown = race.shown.table;
  const [back, frames] = sent(races.undo(race));
  assert.deepEqual(frames, [move(2, "u")]);
  assert.equal(back.shown.table, shown);
  assert.equal(races.makeMove(back, "d"), back);
  const twice = races.undo(back);
  assert.deepEqual(plies(twice), [2, 3]);
  const [now] = sent(twice);
  const once = after(now, game.take(2, "u"));
  assert.deepEqual(once.shown.table.waste, []);
  const done = after(once, game.take(3, "u"));
  assert.deepEqual(done.shown.table.columns, [["QC"], ["KH"], ["3H"], ["AS"]]);
  assert.equal(races.undoLeft(done), 0);
  assert.deepEqual(plies(done), []);
});

test("where undo is off none is tried", () => {
  const game = aServerGame({ undo: false });
  const { race } = aRace({ game, room: aRoom({ undo: false }) });
  const once = after(played(race, "12"), game.take(0, "12"));
  assert.equal(races.undoLeft(once), 0);
  assert.equal(races.undo(once), once);
});

test("no more than the last hundred actions can be taken back", () => {
  const game = aServerGame();
  let { race } = aRace({ game });
  for (let ply = 0; ply < 120; ply += 1) race = after(played(race, "d"), game.take(ply, "d"));
  assert.equal(races.undoLeft(race), 100);
  assert.equal(race.ground.history.length, 100);
  for (let n = 0; n < 100; n += 1) race = after(sent(races.undo(race))[0], game.take(120 + n, "u"));
  assert.deepEqual([races.undoLeft(race), race.wantsSync], [0, false]);
  assert.equal(game.take(220, "u").code, "nothing_to_undo");
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { legalMoves } from "../../../../clients/web/rules/moves.js";
import { hashOf } from "../../../../clients/web/rules/position.js";
import { undoLeft } from "../../../../clients/web/state/race.js";
import { fitTogether } from "../../../../clients/web/state/seen.js";
import { aVirtualWorld, seeded } from "../wire/virtual.mjs";
import { follow } from "./follow.mjs";
import { anEntry, aRoom, aServerGame, BO, ME } from "./pretend_server.mjs";

const STARTED_MS = Date.parse("2026-11-30T12:00:00.000Z");
const DEADLY = [1001, 1006, 1012, 4408, 4413, 4429, 4500];
const TURNS = 250;

/**
 * A server behind a bad line: frames take their time, connections break with whatever is on its
 * way, also without a word; storage fails now and then, with or without having written; acks come
 * twice. `elsewhere` plays some moves from another device, `strict` refuses some that are legal.
 */
function aStorm({ seed, elsewhere = false, strict = false }) {
  const chance = seeded(seed);
  const game = aServerGame({ deal: seed % 5 });
  const bo = { entry: anEntry(BO), offset: 10, told: [] };
  const isCalm = { value: false };
  let line = null;
  const happens = (odds) => !isCalm.value && chance() < odds;
  const pick = (items) => items[Math.floor(chance() * items.length)];

  const virtual = aVirtualWorld({ accept, chance });
  const { world, pass } = virtual;

  /** A connection: each way in order, each frame a little late; a dead one passes nothing. */
  function accept(socket) {
    const mine = { isDead: false, upMs: 0, downMs: 0 };
    line = mine;
    mine.tell = (frame) => {
      mine.downMs = Math.max(mine.downMs, world.now() + chance() * 120);
      const late = mine.downMs - world.now();
      world.after(late, () => !mine.isDead && !socket.isClosed && socket.tells(frame));
    };
    mine.cut = (code) => {
      mine.isDead = true;
      if (line === mine) line = null;
      if (code) world.after(chance() * 50, () => !socket.isClosed && socket.ends(code));
    };
    socket.onSent = (frame) => {
      mine.upMs = Math.max(mine.upMs, world.now() + chance() * 120);
      // What has been sent may arrive although the answer never will.
      const arrive = () => (mine.isDead && chance() < 0.5) || hear(mine, frame);
      world.after(mine.upMs - world.now(), arrive);
    };
    world.after(chance() * 100, () => !socket.isClosed && socket.opens());
  }

  function hear(mine, frame) {
    if (frame.type === "hello") greet(mine, frame);
    else if (frame.type === "ping") mine.tell({ type: "pong", t: frame.t, server_time: now() });
    else if (frame.type === "sync") sync(mine);
    else take(mine, frame);
    if (happens(0.02)) mine.cut(happens(0.2) ? 0 : pick(DEADLY));
  }

  function greet(mine, { since }) {
    const recovered = since !== undefined && since.offset >= 10 && !happens(0.3);
    const server_time = now();
    const head = { type: "welcome", epoch: "e1", recovered, server_time };
    if (recovered) {
      mine.tell({ ...head, offset: since.offset, room: null });
      if (bo.offset > since.offset) tellBo(mine);
    } else {
      const standings = [game.entry(ME), bo.entry].map((one) => ({ ...one, rank: 1 }));
      mine.tell({ ...head, offset: bo.offset, room: aRoom({ standings }) });
    }
    const entry = { ...game.entry(ME), rank: 1 };
    mine.tell({ type: "you", player: ME, host: true, state: game.state, entry });
    mine.tell(game.view());
  }

  function sync(mine) {
    if (happens(0.2)) mine.tell({ type: "error", code: "unavailable", detail: "" });
    else mine.tell(game.view());
  }

  function take(mine, { ply, move }) {
    const to = line ?? mine; // the newest socket of a player hears the answers
    const fails = happens(0.04);
    const refuses = strict && ply === game.moves.length && happens(0.03);
    if (refuses) return to.tell(refusal(ply, "illegal_move"));
    const answer = fails && chance() < 0.5 ? null : game.take(ply, move);
    to.tell(fails ? refusal(ply, "unavailable") : answer);
    if (!fails && happens(0.05)) to.tell(answer);
    if (elsewhere && happens(0.02)) {
      const other = game.take(game.moves.length, "d");
      if (chance() < 0.7) to.tell(other); // else another node tells it some time, or a conflict
    }
  }

  const refusal = (ply, code) => {
    return { type: "reject", ply, code, detail: "", next_ply: game.moves.length };
  };
  const now = () => new Date(STARTED_MS + world.now()).toISOString();

  function tellBo(mine) {
    const entries = [bo.entry, game.entry(ME)];
    mine.tell({ type: "standings", offset: bo.offset, at: now(), entries });
  }

  return {
    game,
    bo,
    chance,
    pick,
    pass,
    world,
    wake: virtual.wake,
    /** Bo comes on. */
    boPlays() {
      bo.offset += 1 + Math.floor(chance() * 3);
      const { actions, placed } = bo.entry;
      bo.entry = { ...bo.entry, actions: actions + 1, placed: placed + 1, at_ms: world.now() };
      if (line) tellBo(line);
    },
    /** Nothing breaks any more, and what broke is mended. */
    calm() {
      isCalm.value = true;
    },
  };
}

/** Plays at random, whatever the line does; gives what was played, and the storm is over. */
function playThrough(storm) {
  const { world, pass, chance, pick } = storm;
  const made = [];
  const player = follow(aRoom(), { token: "t", world });
  for (let turn = 0; turn < TURNS; turn += 1) {
    pass(chance() < 0.1 ? 4000 * chance() : 60 * chance());
    if (chance() < 0.3) storm.boPlays();
    if (chance() < 0.02) storm.wake();
    const { table, ply } = player.race.shown;
    if (!table) continue;
    const takesBack = undoLeft(player.race) > 0 && chance() < 0.15;
    const move = takesBack ? "u" : (pick(legalMoves(table)) ?? "d");
    if (takesBack) player.undo();
    else player.play(move);
    if (player.race.shown.ply > ply) made.push(move);
  }
  storm.calm();
  pass(120_000);
  storm.boPlays();
  pass(1000);
  player.close();
  return { made, race: player.race, status: player.status };
}

/** What is known here is what the server has, and nothing waits. */
function assertAgrees({ race, status }, { game, bo }) {
  assert.equal(status, "open");
  assert.deepEqual(race.pending, []);
  assert.equal(race.ground.ply, game.moves.length);
  assert.equal(hashOf(race.ground.table), hashOf(game.table));
  assert.ok(fitTogether(race.ground.table, game.table), "what is known of face-down cards is true");
  assert.equal(race.shown.table, race.ground.table);
  assert.equal(race.ground.undoLeft, game.view().undo_left);
  const { score, placed, actions, at_ms } = game.entry(ME);
  assert.deepEqual(
    [race.game.score, race.game.placed, race.shown.ply, race.game.atMs],
    [score, placed, actions, at_ms],
  );
  assert.equal(race.shown.score, score);
  const heard = race.entries.find(({ player }) => player.id === BO.id);
  assert.deepEqual(heard, bo.entry);
}

test("whatever the line and the storage do, each move counts once, in its order", () => {
  let moves = 0;
  for (let seed = 1; seed <= 20; seed += 1) {
    const storm = aStorm({ seed });
    const played = playThrough(storm);
    assertAgrees(played, storm);
    assert.deepEqual(storm.game.moves, played.made, `seed ${seed}`);
    assert.equal(played.race.refused, null);
    moves += played.made.length;
  }
  assert.ok(moves > 2000, `only ${moves} moves were played`);
});

test("a server that judges otherwise has its way, and nothing is left hanging", () => {
  let refused = 0;
  for (let seed = 1001; seed <= 1015; seed += 1) {
    const storm = aStorm({ seed, strict: true });
    const played = playThrough(storm);
    assertAgrees(played, storm);
    refused += played.race.refused?.id ?? 0;
  }
  assert.ok(refused > 30, `only ${refused} moves were refused`);
});

test("moves made on another device are taken over, and nothing is left hanging", () => {
  let conflicts = 0;
  for (let seed = 2001; seed <= 2015; seed += 1) {
    const storm = aStorm({ seed, elsewhere: true });
    const played = playThrough(storm);
    assertAgrees(played, storm);
    conflicts += played.race.refused?.id ?? 0;
  }
  assert.ok(conflicts > 20, `only ${conflicts} conflicts came up`);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import * as following from "../../../../clients/web/state/following.js";
import { aVirtualWorld } from "../wire/virtual.mjs";
import { aKeep, follow } from "./follow.mjs";
import { plies } from "./playing.mjs";
import { aRoom, aServerGame, aWelcome, aYou, BO, ME } from "./pretend_server.mjs";

const STRANGER = { id: "p_cy", name: "Cy", kind: "human" };

/** A room followed in a world of its own; `greet()` is the server's welcome on the newest socket. */
function aFollowing({ game = aServerGame(), kept = aKeep(), ...who } = {}) {
  const sockets = [];
  const virtual = aVirtualWorld({ accept: (socket) => sockets.push(socket) });
  let told = 0;
  const onChange = () => (told += 1);
  const room = follow(aRoom(), { token: "t", world: virtual.world, kept, onChange, ...who });
  const last = () => sockets.at(-1);
  const greet = () => {
    last().opens();
    for (const frame of [aWelcome(), aYou(), game.view()]) last().tells(frame);
    last().tells({ type: "pong", t: 0, server_time: "2026-11-30T12:00:00.000Z" });
  };
  const sentMoves = () => last().sent.filter(({ type }) => type === "move");
  return { room, game, kept, last, sockets, greet, sentMoves, told: () => told, ...virtual };
}

/** The same, and my game is there. */
function anOpen(options) {
  const it = aFollowing(options);
  it.greet();
  return it;
}

test("a move is sent as it is made", () => {
  const { room, sentMoves } = anOpen();
  room.play("12");
  room.undo();
  assert.deepEqual(
    sentMoves().map(({ ply, move }) => [ply, move]),
    [
      [0, "12"],
      [1, "u"],
    ],
  );
});

test("an answer that is late is told of, and asks at once whether the other end is there", () => {
  const { room, game, last, pass, told } = anOpen();
  const pings = () => last().sent.filter(({ type }) => type === "ping").length;
  room.play("12");
  pass(2999);
  assert.deepEqual([room.status, pings()], ["open", 1]);
  const before = told();
  pass(1);
  assert.deepEqual([room.status, pings()], ["late", 2]);
  assert.equal(told(), before + 1);
  last().tells({ type: "pong", t: 3000, server_time: "2026-11-30T12:00:03.000Z" });
  assert.deepEqual([room.status, pings()], ["late", 2]);
  last().tells(game.take(0, "12"));
  assert.equal(room.status, "open");
});

test("a connection that is dead is left within eight seconds of a move, which is sent again", () => {
  const { room, greet, sockets, sentMoves, pass } = anOpen();
  room.play("12");
  pass(8000);
  assert.equal(room.status, "waiting");
  pass(250);
  greet();
  assert.equal(sockets.length, 2);
  assert.deepEqual(sentMoves(), [{ type: "move", ply: 0, move: "12" }]);
  assert.equal(room.status, "open");
});

test("moves that are not confirmed are played again by the next page, each once", () => {
  const { room, game, kept, last } = anOpen();
  room.play("12");
  last().tells(game.take(0, "12"));
  last().ends(1006);
  room.play("d");
  room.play("d");
  game.take(1, "d"); // this one had arrived
  room.close();

  const back = anOpen({ game, kept });
  assert.deepEqual(back.sentMoves(), [{ type: "move", ply: 2, move: "d" }]);
  assert.equal(back.room.race.shown.ply, 3);
  back.last().tells(game.take(2, "d"));
  assert.deepEqual(kept.read("room1", ME.id).moves, []);
});

test("who leaves again before my game has come loses nothing", () => {
  const { room, game, kept, last } = anOpen();
  last().ends(1006);
  room.play("12");
  room.close();
  const between = aFollowing({ game, kept });
  between.last().ends(1006);
  between.room.close();
  assert.deepEqual(anOpen({ game, kept }).sentMoves(), [{ type: "move", ply: 0, move: "12" }]);
});

test("another player finds none of them", () => {
  const { room, kept, last } = anOpen();
  last().ends(1006);
  room.play("12");
  room.close();
  aFollowing({ kept, player: STRANGER }).room.close();
  assert.deepEqual(anOpen({ kept }).sentMoves(), []);
});

test("a game that has ended keeps none", () => {
  const { room, kept, last } = anOpen();
  room.play("12");
  assert.equal(kept.read("room1", ME.id).moves.length, 1);
  last().tells(aYou({ state: "resigned" }));
  assert.deepEqual(kept.read("room1", ME.id).moves, []);
});

for (const code of [4409, 4400, 4404]) {
  test(`after close code ${code} nothing is played, and what was not confirmed is no more`, () => {
    const { room, kept, last } = anOpen();
    const { table } = room.race.shown;
    room.play("12");
    last().ends(code);
    assert.equal(room.race.shown.table, table);
    room.play("12");
    room.undo();
    assert.deepEqual([plies(room.race), room.race.shown.ply], [[], 0]);
    assert.equal(room.race.isShutOut, true);
    assert.deepEqual(kept.read("room1", ME.id).moves, []);
  });
}

test("who takes over plays once the game has come as it is by then", () => {
  const { room, game, greet, last, sentMoves } = anOpen();
  last().ends(4409);
  game.take(0, "12"); // in the other window
  room.reopen();
  room.play("12");
  assert.equal(room.race.shown.ply, 0);
  greet();
  assert.equal(room.race.isShutOut, false);
  room.play("d");
  assert.deepEqual(sentMoves(), [{ type: "move", ply: 1, move: "d" }]);
});

test("a token that is not valid any more is told of, and another player sees the room anew", () => {
  const world = aFollowing();
  const revoked = [];
  const account = { player: ME, token: "t", revoked: (token) => revoked.push(token) };
  const sockets = [];
  const virtual = aVirtualWorld({ accept: (socket) => sockets.push(socket) });
  const room = following.follow(aRoom(), {
    account,
    kept: world.kept,
    world: virtual.world,
    onChange() {},
  });
  sockets[0].opens();
  for (const frame of [aWelcome(), aYou(), aServerGame().view()]) sockets[0].tells(frame);
  room.play("12");
  sockets[0].ends(4401);
  assert.deepEqual([revoked, room.status], [["t"], "refused"]);
  Object.assign(account, { player: BO, token: "b" });
  room.reopen();
  assert.equal(room.race.shown.table, null);
  sockets[1].opens();
  assert.equal(sockets[1].sent[0].token, "b");
});

test("closing leaves nothing behind", () => {
  const { room, timers, pass, last, sockets } = anOpen();
  room.play("12");
  room.close();
  assert.equal(timers(), 0);
  last().ends(1006);
  pass(60_000);
  assert.equal(sockets.length, 1);
});

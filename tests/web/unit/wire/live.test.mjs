import assert from "node:assert/strict";
import { test } from "node:test";

import { openLive } from "../../../../clients/web/wire/live.js";
import { aVirtualWorld } from "./virtual.mjs";

/** A room's socket in a world of its own; `last()` is the newest connection. */
function aLive({ since = () => undefined, token = "cr_1", chance } = {}) {
  const sockets = [];
  const heard = { frames: [], statuses: [] };
  const virtual = aVirtualWorld({ accept: (socket) => sockets.push(socket), chance });
  const live = openLive("r/1", {
    token,
    since,
    world: virtual.world,
    onFrame: (frame) => heard.frames.push(frame),
    onStatus: (...status) => heard.statuses.push(status),
  });
  return { live, sockets, last: () => sockets.at(-1), ...heard, ...virtual };
}

const WELCOME = { type: "welcome", epoch: "e", offset: 1 };

/** The same, welcomed and with a pong: a connection that works. */
function anOpenLive(options) {
  const it = aLive(options);
  answer(it.last());
  return it;
}

function answer(socket) {
  socket.opens();
  socket.tells(WELCOME);
  socket.tells({ type: "pong", t: 0 });
}

test("the first frame is hello, with the token and what is known", () => {
  const since = { epoch: "e", offset: 17 };
  const { last } = aLive({ since: () => since });
  assert.equal(last().url, "ws://there/api/v1/rooms/r%2F1/live");
  assert.deepEqual(last().sent, []);
  last().opens();
  assert.deepEqual(last().sent, [{ type: "hello", token: "cr_1", since }]);
});

test("who has no token and knows nothing says just hello", () => {
  const { last } = aLive({ token: null });
  last().opens();
  assert.deepEqual(last().sent, [{ type: "hello" }]);
});

test("it is open once it is welcome, and asks for the time at once", () => {
  const { last, frames, statuses } = aLive();
  last().opens();
  assert.deepEqual(statuses, []);
  last().tells(WELCOME);
  assert.deepEqual(statuses, [["open", undefined]]);
  assert.deepEqual(last().sent.at(-1), { type: "ping", t: 0 });
  assert.deepEqual(frames, [WELCOME]);
});

for (const code of [1000, 1001, 1005, 1006, 1011, 1012, 4408, 4413, 4429, 4500, 4999]) {
  test(`after close code ${code} it comes back`, () => {
    const { last, sockets, statuses, pass } = anOpenLive();
    last().ends(code);
    assert.deepEqual(statuses.at(-1), ["waiting", code]);
    assert.equal(sockets.length, 1);
    pass(250);
    assert.equal(sockets.length, 2);
    last().opens();
    assert.equal(statuses.at(-1)[0], "waiting");
    last().tells(WELCOME);
    assert.equal(statuses.at(-1)[0], "open");
  });
}

const FINAL = { 1009: "refused", 4400: "refused", 4401: "refused", 4404: "gone", 4409: "replaced" };
for (const [code, status] of Object.entries(FINAL)) {
  test(`after close code ${code} it is ${status} and stays away`, () => {
    const { last, sockets, statuses, pass, wake } = anOpenLive();
    last().ends(Number(code));
    assert.deepEqual(statuses.at(-1), [status, Number(code)]);
    pass(100_000);
    wake();
    assert.equal(sockets.length, 1);
  });
}

test("each try waits longer, up to ten seconds, until a connection works", () => {
  const { sockets, last, pass, world } = anOpenLive({ chance: () => 0.999999 });
  const waits = [];
  const fail = (how) => {
    const before = sockets.length;
    const from = world.now();
    how();
    while (sockets.length === before) pass(1);
    waits.push(Math.round((world.now() - from) / 500) / 2);
  };
  for (let n = 0; n < 6; n += 1) fail(() => last().ends(1006));
  // A server that welcomes and breaks is no reason to hurry: only an answered ping is.
  fail(() => {
    last().opens();
    last().tells(WELCOME);
    last().ends(4500);
  });
  answer(last());
  fail(() => last().ends(1006));
  assert.deepEqual(waits, [0.5, 1, 2, 4, 8, 10, 10, 0.5]);
});

test("too many frames: it waits for as long as it was told", () => {
  const { last, sockets, pass } = anOpenLive();
  last().tells({ type: "error", code: "too_many_requests", retry_after_ms: 3000 });
  last().ends(4429);
  pass(2999);
  assert.equal(sockets.length, 1);
  pass(1);
  assert.equal(sockets.length, 2);
});

test("it pings every fifteen seconds", () => {
  const { last, pass } = anOpenLive();
  const pings = () => last().sent.filter(({ type }) => type === "ping");
  for (let n = 2; n < 5; n += 1) {
    pass(15_000);
    assert.equal(pings().length, n);
    last().tells({ type: "pong", t: pings().at(-1).t });
  }
  assert.deepEqual(
    pings().map(({ t }) => t),
    [0, 15_000, 30_000, 45_000],
  );
});

test("a connection on which nothing comes for ten seconds after a ping is dead", () => {
  const { last, sockets, statuses, pass } = anOpenLive();
  const dead = last();
  pass(15_000);
  pass(9_999);
  assert.equal(dead.isClosed, false);
  pass(1);
  assert.equal(dead.isClosed, true);
  assert.deepEqual(statuses.at(-1), ["waiting", 1006]);
  pass(250);
  assert.equal(sockets.length, 2);
});

test("any frame is a sign of life, and the next ping is due all the same", () => {
  const { last, sockets, pass } = anOpenLive();
  const pings = () => last().sent.filter(({ type }) => type === "ping").length;
  pass(15_000);
  pass(9_999);
  last().tells({ type: "standings" });
  pass(5000);
  assert.deepEqual([sockets.length, last().isClosed, pings()], [1, false, 2]);
  pass(1);
  assert.equal(pings(), 3);
  pass(10_000);
  assert.equal(last().isClosed, true);
});

test("a connection that is asked whether it is alive has five seconds to say so", () => {
  const { live, last, statuses, pass } = anOpenLive();
  live.probe();
  assert.equal(last().sent.at(-1).type, "ping");
  pass(4000);
  live.probe(); // asking again gives no more time
  pass(999);
  assert.equal(last().isClosed, false);
  pass(1);
  assert.equal(last().isClosed, true);
  assert.deepEqual(statuses.at(-1), ["waiting", 1006]);
});

test("one that is asked and says anything stays", () => {
  const { live, last, pass } = anOpenLive();
  live.probe();
  pass(4999);
  last().tells({ type: "ack" });
  pass(10_000);
  assert.equal(last().isClosed, false);
});

test("asking between connections does nothing", () => {
  const { live, last, sockets } = anOpenLive();
  last().ends(1006);
  live.probe();
  assert.equal(sockets.length, 1);
});

test("what comes late from a dead connection is not heard", () => {
  const { last, sockets, frames, statuses, pass } = anOpenLive();
  const dead = last();
  pass(25_250);
  const heard = frames.length;
  dead.tells({ type: "ack" });
  dead.ends(4404);
  assert.equal(frames.length, heard);
  assert.equal(statuses.at(-1)[0], "waiting");
  assert.equal(sockets.length, 2);
});

test("a server that never says welcome is given up", () => {
  const { last, sockets, pass } = aLive();
  last().opens();
  pass(10_000);
  assert.equal(last().isClosed, true);
  pass(250);
  assert.equal(sockets.length, 2);
});

test("a waiting one connects at once when the network or the tab is back", () => {
  const { last, sockets, wake, pass } = anOpenLive({ chance: () => 0.9 });
  last().ends(1006);
  wake();
  assert.equal(sockets.length, 2);
  wake();
  assert.equal(sockets.length, 2);
  answer(last());
  pass(14_999);
  assert.equal(sockets.length, 2);
});

test("an attempt from before the network was back is not waited for", () => {
  const { last, sockets, wake, pass } = anOpenLive();
  last().ends(1006);
  pass(250);
  pass(1000);
  wake();
  assert.equal(sockets.length, 2);
  pass(1);
  wake();
  assert.equal(sockets.length, 3);
  assert.equal(sockets[1].isClosed, true);
  answer(last());
  pass(14_999);
  assert.equal(sockets.length, 3);
});

test("an open one finds out at once whether it still is when the tab is back", () => {
  const { last, wake, pass } = anOpenLive();
  pass(7000);
  wake();
  assert.deepEqual(last().sent.at(-1), { type: "ping", t: 7000 });
  last().tells({ type: "pong", t: 7000 });
  pass(14_999);
  assert.equal(last().sent.filter(({ type }) => type === "ping").length, 2);
});

test("frames go out while it is open, and are lost while it is not", () => {
  const { live, last } = aLive();
  live.send({ type: "move", ply: 0, move: "d" });
  answer(last());
  live.send({ type: "move", ply: 0, move: "d" });
  assert.deepEqual(last().sent.at(-1), { type: "move", ply: 0, move: "d" });
  const count = last().sent.length;
  last().ends(1006);
  live.send({ type: "sync" });
  assert.equal(last().sent.length, count);
});

test("it takes over again when its user asks, and can come as somebody else", () => {
  const { live, last, sockets, statuses } = anOpenLive({ token: null });
  last().ends(4409);
  live.reopen("cr_2");
  assert.equal(statuses.at(-1)[0], "connecting");
  last().opens();
  assert.deepEqual(last().sent, [{ type: "hello", token: "cr_2" }]);
  live.reopen("cr_3");
  assert.equal(sockets.length, 3);
  assert.equal(sockets[1].isClosed, true);
});

test("reopening while a try is planned makes one connection, not two", () => {
  const { live, last, sockets, pass } = anOpenLive();
  last().ends(1006);
  live.reopen("cr_2");
  pass(9000);
  assert.equal(sockets.length, 2);
});

test("closing leaves nothing behind", () => {
  for (const state of ["connecting", "open", "waiting"]) {
    const it = state === "connecting" ? aLive() : anOpenLive();
    if (state === "waiting") it.last().ends(1006);
    const told = it.statuses.length;
    it.live.close();
    assert.equal(it.timers(), 0, state);
    assert.equal(it.listeners(), 0, state);
    it.last().ends(1006);
    it.wake();
    it.pass(60_000);
    assert.deepEqual([it.statuses.length, it.sockets.length], [told, 1], state);
  }
});

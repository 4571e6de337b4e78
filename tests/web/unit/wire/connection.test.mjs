import assert from "node:assert/strict";
import { test } from "node:test";

import { openConnection } from "../../../../clients/web/wire/connection.js";
import { aVirtualWorld } from "./virtual.mjs";

/** A connection, and the other end of it. */
function aConnection() {
  const heard = [];
  let socket;
  const virtual = aVirtualWorld({ accept: (opened) => (socket = opened) });
  const connection = openConnection(virtual.world, "ws://there", {
    hello: () => ({ type: "hello" }),
    onWelcome: () => heard.push("welcome"),
    onAlive: () => heard.push("alive"),
    onFrame: ({ type }) => heard.push(`frame ${type}`),
    onEnd: (...end) => heard.push(["end", ...end]),
  });
  return { connection, socket, heard, ...virtual };
}

test("nothing is sent before it is open, and hello first", () => {
  const { connection, socket } = aConnection();
  connection.send({ type: "sync" });
  assert.deepEqual(socket.sent, []);
  socket.opens();
  connection.send({ type: "sync" });
  assert.deepEqual(
    socket.sent.map(({ type }) => type),
    ["hello", "sync"],
  );
});

test("who listens hears that it is open before the frame that says so", () => {
  const { socket, heard } = aConnection();
  socket.opens();
  socket.tells({ type: "welcome" });
  socket.tells({ type: "pong" });
  assert.deepEqual(heard, ["welcome", "frame welcome", "alive", "frame pong"]);
});

test("it ends once, with its code and how long to stay away", () => {
  const { socket, heard, timers, pass } = aConnection();
  socket.opens();
  socket.tells({ type: "error", code: "too_many_requests", retry_after_ms: 700 });
  socket.ends(4429);
  socket.ends(1006);
  pass(60_000);
  assert.deepEqual(heard.slice(1), [["end", 4429, 700]]);
  assert.equal(timers(), 0);
});

test("closing it is no end to come back from", () => {
  const { connection, socket, heard, timers } = aConnection();
  socket.opens();
  connection.close();
  socket.ends(1000);
  assert.deepEqual([heard, timers()], [[], 0]);
});

test("it is stuck when it is not there after a second", () => {
  const { connection, pass } = aConnection();
  pass(1000);
  assert.equal(connection.isStuck(), false);
  pass(1);
  assert.equal(connection.isStuck(), true);
});

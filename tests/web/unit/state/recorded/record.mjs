/**
 * Records a race against a real server as `session.json`: what each socket was told and said, and
 * what a newcomer was told at many moments. Ids and tokens are replaced by harmless ones.
 *
 *   node record.mjs http://127.0.0.1:8000 > session.json
 */

import { readFileSync } from "node:fs";

import { legalMoves } from "../../../../../clients/web/rules/moves.js";
import { follow } from "../follow.mjs";

const SERVER = process.argv[2];
const CODE = "CF1-D3-AAAAACL";
const WIN = new URL("../../../../vectors/example_win.json", import.meta.url);
const LONGEST_WAIT_MS = 20_000;

/** @type {[string, string][]} */
const harmless = [];

async function call(method, path, { token, body } = {}) {
  const response = await fetch(`${SERVER}/api/v1${path}`, {
    method,
    headers: token ? { Authorization: `Bearer ${token}` } : {},
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** A world whose sockets keep what passes through them. */
function recordingWorld(kept) {
  const start = performance.now();
  const now = () => Math.round((performance.now() - start) * 1000) / 1000;
  return {
    socketUrl: (path) => SERVER.replace("http", "ws") + path,
    openSocket(url) {
      const socket = new WebSocket(url);
      const send = socket.send.bind(socket);
      socket.send = (text) => {
        kept.push({ at: now(), sent: JSON.parse(text) });
        send(text);
      };
      socket.addEventListener("message", ({ data }) => {
        kept.push({ at: now(), got: JSON.parse(data) });
      });
      return socket;
    },
    now,
    chance: Math.random,
    after(ms, what) {
      const timer = setTimeout(what, ms);
      return () => clearTimeout(timer);
    },
    onWake: () => () => {},
  };
}

async function until(what, holds) {
  const end = performance.now() + LONGEST_WAIT_MS;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`in vain waited until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function register(nickname) {
  const name = `${nickname}-${Math.random().toString(36).slice(2, 8)}`;
  const { player, token } = await call("POST", "/players", { body: { name } });
  harmless.push([player.id, `p_${nickname.toLowerCase()}`], [token, `token-of-${nickname}`]);
  harmless.push([name, nickname]);
  return { player, token };
}

const ana = await register("Ana");
const bo = await register("Bo");
const cy = await register("Cy");
const dee = await register("Dee");
const room = await call("POST", "/rooms", {
  token: ana.token,
  body: { code: CODE, countdown_s: 1, title: "Recorded" },
});
harmless.push([room.id, "room1"]);
const LIVE = `/api/v1/rooms/${room.id}/live`;
const at = (what, token, body) => call("POST", `/rooms/${room.id}/${what}`, { token, body });

const streams = { watching: [], ana: [], bo: [] };
const snapshots = [];
const comebacks = [];
const watching = follow(room, { token: null, world: recordingWorld(streams.watching) });
const anas = follow(room, { token: ana.token, world: recordingWorld(streams.ana) });
await until("the sockets are open", () => watching.race.epoch && anas.race.you);

/** Keeps what a newcomer is told now. */
async function look() {
  const kept = [];
  const newcomer = follow(room, { token: null, world: recordingWorld(kept) });
  await until("a newcomer is welcome", () => newcomer.race.epoch);
  newcomer.close();
  snapshots.push(kept.find(({ got }) => got?.type === "welcome").got);
  if (snapshots.length > 3) await comeBack(snapshots.at(-4));
}

/** Keeps what somebody is told now who knows a room as an older snapshot has it. */
async function comeBack({ epoch, offset }) {
  const since = { epoch, offset };
  const frames = [];
  const socket = recordingWorld([]).openSocket(`${SERVER.replace("http", "ws")}${LIVE}`);
  socket.onopen = () => {
    socket.send(JSON.stringify({ type: "hello", since }));
    socket.send(JSON.stringify({ type: "ping", t: 0 }));
  };
  socket.onmessage = ({ data }) => frames.push(JSON.parse(data));
  await until("all that was missed is told", () => frames.at(-1)?.type === "pong");
  socket.close();
  comebacks.push({ since, frames });
}

/** Plays a move once the cards that it needs have come. */
async function playOnce(player, move) {
  const { ply } = player.race.shown;
  await until(`${move} is played`, () => {
    player.play(move);
    return player.race.shown.ply > ply;
  });
}

await look();
for (const { token } of [bo, cy, dee]) await at("join", token);
await look();
const bos = follow(room, { token: bo.token, world: recordingWorld(streams.bo) });
await until("Bo plays", () => bos.race.you);
await at("ready", bo.token, { ready: true });
await at("ready", cy.token, { ready: true });
await at("ready", cy.token, { ready: false });
await look();
const deirdre = `Deirdre-${dee.player.name.slice(4)}`;
harmless.unshift([deirdre, "Deirdre"]);
await call("PATCH", "/players/me", { token: dee.token, body: { name: deirdre } });
await at("leave", dee.token);
await at("kick", ana.token, { player: cy.player.id });
await look();
await at("start", ana.token);
await look();
await until("the race is on", () => anas.race.shown.table && bos.race.shown.table);
await look();

for (const [n, move] of JSON.parse(readFileSync(WIN, "utf8")).entries()) {
  await playOnce(anas, move);
  if (n % 9 === 4) {
    anas.undo();
    await playOnce(anas, move);
  }
  const choice = legalMoves(bos.race.shown.table);
  if (n % 3 === 0) bos.play(choice[n % choice.length]);
  if (n % 8 === 7) bos.undo();
  if (n % 20 === 10) await look();
}
await until("Ana has won", () => anas.race.game.state === "won");
await until("Bo's moves are confirmed", () => !bos.race.pending.length);
await look();
const bosGame = await call("GET", `/rooms/${room.id}/game`, { token: bo.token });
const anasGame = await call("GET", `/rooms/${room.id}/game`, { token: ana.token });
await at("resign", bo.token);
await until("all is over", () => watching.race.room.state === "finished");
await look();
const next = await at("rematch", bo.token);
harmless.push([next.id, "room2"]);
await until("a rematch is offered", () => watching.race.room.rematch);
await look();
for (const one of [watching, anas, bos]) one.close();

const recorded = {
  room,
  streams,
  snapshots,
  comebacks,
  games: { ana: anasGame, bo: bosGame },
  last: await call("GET", `/rooms/${room.id}`),
};
let text = JSON.stringify(recorded);
for (const [real, instead] of harmless) text = text.replaceAll(real, instead);
console.log(text);

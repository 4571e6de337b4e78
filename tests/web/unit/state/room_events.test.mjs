import assert from "node:assert/strict";
import { test } from "node:test";

import { afterEvent, isRoomEvent, knowRoom } from "../../../../clients/web/state/room_events.js";
import { anEntry, aRoom, BO, ME } from "./pretend_server.mjs";

const CY = Object.freeze({ id: "p_cy", name: "Cy", kind: "human" });
const waiting = (player, state = "joined") => anEntry(player, { state, placed: 0 });

/** A room before its race, with me and Bo in it. */
function anOpenRoom() {
  const standings = [ME, BO].map((player) => ({ ...waiting(player), rank: 1 }));
  return aRoom({ state: "open", starts_at: null, started_at: null, ends_at: null, standings });
}

const after = (room, ...events) =>
  events.reduce((known, event) => afterEvent(known, { offset: 1, ...event }), knowRoom(room));

const players = ({ room }) => room.standings.map(({ player, state }) => `${player.id} ${state}`);

test("who joins has a seat and nothing placed", () => {
  const { room } = after(anOpenRoom(), { type: "joined", player: CY });
  assert.equal(room.player_count, 3);
  assert.deepEqual(room.standings[2], { ...waiting(CY), rank: 1 });
});

test("who is known to be there does not join again", () => {
  const { room } = after(anOpenRoom(), { type: "joined", player: BO });
  assert.deepEqual([room.player_count, room.standings.length], [2, 2]);
});

test("who leaves gives up the seat, and the host may be another", () => {
  const known = after(anOpenRoom(), { type: "left", player: ME, host: BO });
  assert.deepEqual(players(known), ["p_bo joined"]);
  assert.deepEqual([known.room.player_count, known.room.host], [1, BO]);
  const empty = after(known.room, { type: "left", player: BO, host: null });
  assert.deepEqual([empty.room.player_count, empty.room.host], [0, null]);
});

test("who is kicked is gone, and the host stays", () => {
  const { room } = after(anOpenRoom(), { type: "kicked", player: BO });
  assert.deepEqual([room.player_count, room.host, room.standings.length], [1, ME, 1]);
});

test("ready is said and taken back", () => {
  const ready = { type: "ready", player: BO, ready: true };
  const known = after(anOpenRoom(), ready);
  assert.deepEqual(players(known), ["p_me joined", "p_bo ready"]);
  assert.deepEqual(players(after(known.room, { ...ready, ready: false }))[1], "p_bo joined");
});

test("a new name is shown wherever the player is", () => {
  const { room } = after(anOpenRoom(), { type: "renamed", player: { ...ME, name: "Moi" } });
  assert.deepEqual([room.host.name, room.standings[0].player.name], ["Moi", "Moi"]);
  const other = after(anOpenRoom(), { type: "renamed", player: { ...BO, name: "Bob" } });
  assert.equal(other.room.host.name, "Me");
});

test("a race counts down, starts, and finishes", () => {
  const known = after(
    anOpenRoom(),
    { type: "ready", player: BO, ready: true },
    { type: "countdown", starts_at: "S" },
  );
  assert.deepEqual([known.room.state, known.room.starts_at], ["countdown", "S"]);
  const started = { type: "started", started_at: "S", ends_at: "E", code: "C", nonce: "N" };
  const racing = after(known.room, started);
  const { state, started_at, ends_at, code, nonce } = racing.room;
  assert.deepEqual([state, started_at, ends_at, code, nonce], ["racing", "S", "E", "C", "N"]);
  assert.deepEqual(players(racing), ["p_me racing", "p_bo racing"]);
  const standings = [{ ...anEntry(BO, { placed: 9, state: "resigned" }), rank: 1 }];
  const over = after(racing.room, {
    type: "finished",
    finished_at: "F",
    code: "C2",
    nonce: "N2",
    standings,
  });
  assert.deepEqual([over.room.state, over.room.finished_at], ["finished", "F"]);
  assert.deepEqual([over.room.code, over.room.nonce, over.room.standings], ["C2", "N2", standings]);
  assert.equal(after(over.room, { type: "rematch", room: "r2" }).room.rematch, "r2");
});

test("a race is cancelled", () => {
  assert.equal(after(anOpenRoom(), { type: "cancelled", reason: "host" }).room.state, "cancelled");
});

test("standings move, and newcomers of a daily come with them", () => {
  const known = after(aRoom(), {
    type: "standings",
    entries: [anEntry(CY, { placed: 4 }), anEntry(BO, { placed: 6, actions: 9 })],
  });
  assert.deepEqual(
    known.room.standings.map(({ player, rank }) => `${rank}${player.id}`),
    ["1p_bo", "2p_cy", "3p_me"],
  );
  assert.equal(known.room.player_count, 3);
});

test("a crowd is counted by the server, and the best hundred of it are shown", () => {
  const crowd = Array.from({ length: 130 }, (_, n) =>
    anEntry({ id: `p_${n}`, name: `${n}`, kind: "bot" }, { placed: n % 50, actions: n }),
  );
  const { room, entries } = after(aRoom({ player_count: 900 }), {
    type: "standings",
    entries: crowd,
  });
  assert.deepEqual([room.player_count, room.standings.length, entries.length], [900, 100, 132]);
  assert.equal(room.standings[0].placed, 49);
});

test("only what has an offset is about the room", () => {
  assert.equal(isRoomEvent({ type: "joined" }), true);
  for (const type of ["welcome", "you", "game", "ack", "toString", "fireworks"]) {
    assert.equal(isRoomEvent({ type }), false, type);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";

import * as races from "../../../../clients/web/state/race.js";
import { after, aRace, played } from "./playing.mjs";
import { anEntry, aRoom, aWelcome, aYou, BO, ME } from "./pretend_server.mjs";

const START = "2026-11-30T12:00:00.000Z";

/** A race that is only watched, its welcome heard at the time 0 here. */
function watching(room, server_time = START) {
  return after(races.fromRoom(room), aWelcome({ room, server_time }));
}

test("without a word from the server there is no time", () => {
  const race = races.fromRoom(aRoom({ state: "countdown" }));
  assert.deepEqual(
    [races.serverNow(race, 5), races.leftMs(race, 5), races.elapsedMs(race, 5)],
    [null, null, null],
  );
  assert.equal(races.untilStartMs(race, 5), null);
});

test("my clock runs with the server's from the start of the race to its end", () => {
  const { race } = aRace();
  assert.equal(races.serverNow(race, 250), Date.parse(START) + 250);
  assert.deepEqual([races.elapsedMs(race, 2500), races.leftMs(race, 2500)], [2500, 897_500]);
  assert.deepEqual([races.elapsedMs(race, 1e7), races.leftMs(race, 1e7)], [900_000, 0]);
});

test("my clock is never behind what the server has told of it", () => {
  const { race, game } = aRace();
  const now = after(played(race, "12"), game.take(0, "12", 6000));
  assert.equal(races.elapsedMs(now, 100), 6000);
  assert.equal(races.elapsedMs(now, 7000), 7000);
});

test("in a daily my clock is my own", () => {
  const { race } = aRace();
  const own = aYou({ started_at: "2026-11-30T11:50:00.000Z", ends_at: "2026-11-30T12:20:00.000Z" });
  const now = after(race, own);
  assert.deepEqual([races.elapsedMs(now, 1000), races.leftMs(now, 1000)], [601_000, 1_199_000]);
});

test("who watches sees how long the race still is", () => {
  const race = watching(aRoom());
  assert.equal(races.elapsedMs(race, 1000), null);
  assert.equal(races.leftMs(race, 1000), 899_000);
  assert.equal(races.leftMs(watching(aRoom({ started_at: null, ends_at: null })), 0), null);
});

test("a pong makes the clock truer", () => {
  const { race } = aRace();
  const pong = { type: "pong", t: 1000, server_time: "2026-11-30T12:00:01.150Z" };
  const now = races.receive(race, pong, 1100);
  assert.equal(races.serverNow(now, 1100), Date.parse(START) + 1200);
});

test("who comes back hears the time again: this clock may have stood still", () => {
  const { race } = aRace();
  const server_time = "2026-11-30T12:05:00.000Z";
  const back = aWelcome({ recovered: true, room: null, server_time });
  const now = races.receive(races.disconnected(race), back, 2000);
  assert.equal(races.elapsedMs(now, 3000), 301_000);
});

test("a start that is set is counted down to", () => {
  const counting = watching(aRoom({ state: "countdown", starts_at: "2026-11-30T12:00:05.000Z" }));
  assert.equal(races.untilStartMs(counting, 1200), 3800);
  assert.equal(races.untilStartMs(counting, 9000), 0);
  const start_at = "2026-11-30T13:00:00.000Z";
  const planned = watching(aRoom({ state: "open", starts_at: null, start: "at", start_at }));
  assert.equal(races.untilStartMs(planned, 0), 3_600_000);
  assert.equal(races.untilStartMs(watching(aRoom({ state: "open", starts_at: null })), 0), null);
  assert.equal(races.untilStartMs(watching(aRoom()), 0), null);
});

test("my standing is known from my acks before the room hears of it", () => {
  const { race, game } = aRace();
  let now = after(played(race, "12"), game.take(0, "12", 500));
  now = after(played(now, "rf"), game.take(1, "rf", 900));
  assert.deepEqual(
    races.standings(now).map(({ player, rank, placed }) => [player.id, rank, placed]),
    [
      ["p_me", 1, 2],
      ["p_bo", 2, 1],
    ],
  );
  assert.deepEqual(races.myEntry(now), { ...game.entry(ME), rank: 1 });
});

test("what is only shown ahead does not count yet", () => {
  const { race, game } = aRace();
  const now = after(played(race, "12"), game.take(0, "12"));
  assert.equal(races.myEntry(races.makeMove(now, "rf")).placed, 1);
});

test("beyond the hundred who are listed my rank is the one I am told", () => {
  const { race, game } = aRace();
  const standings = [{ ...anEntry(BO, { placed: 9 }), rank: 1 }];
  const room = aRoom({ standings, player_count: 300 });
  let now = after(races.disconnected(race), aWelcome({ room }), game.view());
  now = after(now, aYou({ entry: { ...anEntry(ME), rank: 217 } }));
  now = after(played(now, "12"), game.take(0, "12"));
  assert.deepEqual(
    races.standings(now).map(({ player }) => player.id),
    ["p_bo"],
  );
  assert.deepEqual([races.myEntry(now).rank, races.myEntry(now).actions], [217, 1]);
});

test("who only watches has no standing", () => {
  assert.equal(races.myEntry(watching(aRoom())), null);
});

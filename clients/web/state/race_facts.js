/** What a page asks of a race: the table, the clocks, who stands where. */

import { msOf } from "./server_clock.js";
import { hasEnded, mergeStandings, rankStandings } from "./standings.js";

/**
 * @typedef {import("./race.js").Race} Race
 * @typedef {import("../wire/types.js").Entry} Entry
 * @typedef {import("../wire/types.js").Standing} Standing
 */

const SHOWN = 100;

/**
 * Gives the table to show, everything pending played; null where there is no game of mine.
 * @param {Race} race
 */
export function shownTable(race) {
  return race.shown.table;
}

/**
 * Gives how many actions can be taken back from what is shown.
 * @param {Race} race
 */
export function undoLeft({ tip }) {
  return tip?.undoLeft ?? 0;
}

/**
 * Gives the server's time now, in milliseconds since 1970; null before it has told it.
 * @param {Race} race
 * @param {number} nowMs  of a monotonic clock
 */
export function serverNow({ clock }, nowMs) {
  return clock && nowMs + clock.aheadMs;
}

/**
 * Gives my race clock; it stands still once my game has ended. Null before it runs.
 * @param {Race} race
 * @param {number} nowMs
 */
export function elapsedMs(race, nowMs) {
  const { game } = race;
  if (!game) return null;
  if (hasEnded(game.state)) return game.elapsedMs;
  const [start, end] = ownTime(race);
  const now = serverNow(race, nowMs);
  if (now === null || start === null || end === null) return game.elapsedMs;
  return Math.min(end - start, Math.max(game.elapsedMs, now - start));
}

/**
 * Gives how much is left of my race clock; for who only watches, of the race.
 * @param {Race} race
 * @param {number} nowMs
 */
export function leftMs(race, nowMs) {
  const [start, end] = ownTime(race);
  if (start === null || end === null) return null;
  const elapsed = elapsedMs(race, nowMs);
  if (elapsed !== null) return Math.max(0, end - start - elapsed);
  const now = serverNow(race, nowMs);
  return now === null ? null : Math.max(0, end - now);
}

/**
 * Gives how long it is until the race starts; null where no start is set or it has started.
 * @param {Race} race
 * @param {number} nowMs
 */
export function untilStartMs(race, nowMs) {
  const { state, starts_at, start_at } = race.room;
  const starts = state === "countdown" ? starts_at : state === "open" ? start_at : null;
  const now = serverNow(race, nowMs);
  return starts === null || now === null ? null : Math.max(0, msOf(starts) - now);
}

/**
 * Gives the standings, best first; mine as my acks tell it, before the room hears of it.
 * @param {Race} race
 * @returns {Standing[]}
 */
export function standings(race) {
  const { room, entries } = race;
  const mine = myProgress(race);
  const everyone = room.player_count <= entries.length;
  const listed = mine && entries.some(({ player }) => player.id === mine.player.id);
  if (!mine || !(everyone || listed)) return room.standings;
  return rankStandings(mergeStandings(entries, [mine])).slice(0, SHOWN);
}

/**
 * Gives how I stand, also beyond the hundred that are listed; null for who only watches.
 * @param {Race} race
 * @returns {Standing | null}
 */
export function myEntry(race) {
  const { you } = race;
  if (!you) return null;
  const listed = standings(race).find(({ player }) => player.id === you.player.id);
  if (listed) return listed;
  const [freshest] = mergeStandings([you.entry], [myProgress(race) ?? you.entry]);
  return { ...freshest, rank: you.entry.rank };
}

/**
 * @param {Race} race
 * @returns {Entry | null}
 */
function myProgress({ you, game, ground }) {
  if (!you || !game || !ground) return null;
  const { state, placed, score, atMs } = game;
  return { player: you.player, state, placed, score, actions: ground.ply, at_ms: atMs };
}

/**
 * Gives when my clock starts and ends: in a daily my own, else the room's.
 * @param {Race} race
 * @returns {[number | null, number | null]}
 */
function ownTime({ you, game, room }) {
  const start = you?.started_at ?? game?.startedAt ?? room.started_at;
  const end = you?.ends_at ?? game?.endsAt ?? room.ends_at;
  return [start === null ? null : msOf(start), end === null ? null : msOf(end)];
}

/** Today's daily, followed as anyone may: shown by a plain GET first, then live. */

import { account } from "../state/account.js";
import { api, Problem, serverTime } from "../state/api.js";
import * as races from "../state/race.js";
import { openLive } from "../wire/live.js";

const AGAIN_MS = 20_000;
const STEP_MS = 1000;
const SPREAD_MS = 4000; // at midnight not everyone asks at once

/**
 * @typedef {import("../wire/types.js").Daily} Daily
 * @typedef {import("../wire/types.js").Standing} Standing
 *
 * @typedef {object} Today
 * @property {"loading" | "none" | "here"} status
 * @property {Daily | null} daily  as it was at first
 * @property {Standing[]} standings  the best, live
 * @property {number} players
 * @property {Standing | null | undefined} mine  undefined until it is known whether there is one
 * @property {string | null} endsAt  of my own attempt, while it runs
 * @property {string | null} before  the day of the last daily that is over
 */

/** @type {Today} */
const UNKNOWN = {
  status: "loading",
  daily: null,
  standings: [],
  players: 0,
  mine: undefined,
  endsAt: null,
  before: null,
};

/**
 * Follows the daily, from one day into the next.
 * @param {(today: Today) => void} onChange
 * @returns {{now: () => number, close: () => void}}  now: the server's clock, in ms since 1970
 */
export function followDaily(onChange) {
  let today = UNKNOWN;
  /** @type {ReturnType<typeof followRoom> | null} */
  let followed = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let next;
  const leaving = new AbortController();
  const { signal } = leaving;

  const change = (/** @type {Partial<Today>} */ part) => {
    if (signal.aborted) return;
    today = { ...today, ...part };
    onChange(today);
  };
  const load = async () => {
    const daily = await readDaily(signal);
    if (signal.aborted) return;
    followed?.close();
    followed = daily && followRoom(daily, change);
    change(daily ? { status: "here", daily, ...liveFacts(daily) } : { status: "none" });
    loadMine();
    loadBefore();
    next = setTimeout(daily ? awaitEnd : load, daily ? STEP_MS : AGAIN_MS);
  };
  const awaitEnd = () => {
    const over = (followed?.now() ?? 0) >= Date.parse(today.daily?.closes_at ?? "");
    next = over ? setTimeout(load, Math.random() * SPREAD_MS) : setTimeout(awaitEnd, STEP_MS);
  };
  const loadMine = async () => {
    if (today.daily) change(await ownAttempt(today.daily.id, today, signal));
  };
  const loadBefore = async () => change({ before: await lastDay(signal) });
  const stopListening = account.onChange(loadMine);
  load();
  return {
    now: () => followed?.now() ?? serverTime(),
    close() {
      leaving.abort();
      clearTimeout(next);
      followed?.close();
      stopListening();
    },
  };
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<Daily | null>} null where there is none at the moment
 */
async function readDaily(signal) {
  try {
    return await api.get("/daily", { signal });
  } catch (problem) {
    if (signal.aborted || problem instanceof Problem) return null;
    throw problem;
  }
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<string | null>}  the day of the last daily that has finished
 */
async function lastDay(signal) {
  try {
    const { items } = await api.get("/rooms?kind=daily&state=finished&limit=1", { signal });
    return items[0]?.start_at?.slice(0, 10) ?? null;
  } catch (problem) {
    if (signal.aborted || problem instanceof Problem) return null;
    throw problem;
  }
}

/**
 * @param {import("../wire/types.js").Room} room
 * @returns {Pick<Today, "standings" | "players">}
 */
function liveFacts({ standings, player_count }) {
  return { standings, players: player_count };
}

/**
 * Follows a room as one who only watches.
 * @param {Daily} daily
 * @param {(facts: Pick<Today, "standings" | "players">) => void} change
 * @returns {{now: () => number | null, close: () => void}}  now: null before the server has told it
 */
function followRoom(daily, change) {
  let race = races.fromRoom(daily);
  const live = openLive(daily.id, {
    token: null,
    since: () => races.since(race),
    onFrame(frame) {
      race = races.receive(race, frame, performance.now());
      change(liveFacts(race.room));
    },
    onStatus() {}, // what is shown stays, and comes to life again by itself
  });
  return { now: () => races.serverNow(race, performance.now()), close: live.close };
}

/**
 * @param {string} room
 * @param {Today} today
 * @param {AbortSignal} signal
 * @returns {Promise<Pick<Today, "mine" | "endsAt">>}
 */
async function ownAttempt(room, { standings, players }, signal) {
  const none = { mine: null, endsAt: null };
  if (!account.player) return none;
  try {
    const listed = ownOf(standings);
    if (!listed && players <= standings.length) return none; // who asks and is not there is refused
    const around = `/rooms/${room}/standings?around=me&limit=1`;
    const mine = listed ?? ownOf((await api.get(around, { signal })).items);
    if (mine?.state !== "racing") return { mine, endsAt: null };
    const game = await api.get(`/rooms/${room}/game`, { signal });
    return { mine, endsAt: game.ends_at };
  } catch (problem) {
    if (signal.aborted || problem instanceof Problem) return none; // to join again is never wrong
    throw problem;
  }
}

/**
 * @param {readonly Standing[]} standings
 * @returns {Standing | null}
 */
function ownOf(standings) {
  return standings.find(({ player }) => player.id === account.player?.id) ?? null;
}

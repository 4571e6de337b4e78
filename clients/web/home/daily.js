/** Today's daily, followed as anyone may: shown by a plain GET first, then live. */

import { account } from "../state/account.js";
import * as races from "../state/race.js";
import { api, Problem } from "../wire/api.js";
import { openLive } from "../wire/live.js";

const AGAIN_MS = 20_000;
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
 */

/**
 * Follows the daily, from one day into the next.
 * @param {(today: Today) => void} onChange
 * @returns {{now: () => number, close: () => void}}  now: the server's clock, in ms since 1970
 */
export function followDaily(onChange) {
  /** @type {Today} */
  let today = {
    status: "loading",
    daily: null,
    standings: [],
    players: 0,
    mine: undefined,
    endsAt: null,
  };
  /** @type {races.Race | null} */
  let race = null;
  /** @type {ReturnType<typeof openLive> | null} */
  let live = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let next;
  const leaving = new AbortController();
  const { signal } = leaving;

  const now = () => (race && races.serverNow(race, performance.now())) ?? Date.now();
  const change = (/** @type {Partial<Today>} */ part) => {
    if (signal.aborted) return;
    today = { ...today, ...part };
    onChange(today);
  };
  const loadAgain = (/** @type {number} */ afterMs) => {
    clearTimeout(next);
    if (!signal.aborted) next = setTimeout(load, afterMs + Math.random() * SPREAD_MS);
  };
  const load = async () => {
    live?.close();
    try {
      const daily = /** @type {Daily} */ (await api.get("/daily", { signal }));
      begin(daily);
      loadAgain(Date.parse(daily.closes_at) - now());
    } catch (problem) {
      if (signal.aborted) return;
      if (!(problem instanceof Problem)) throw problem;
      change({ status: "none" });
      loadAgain(AGAIN_MS);
    }
  };
  const begin = (/** @type {Daily} */ daily) => {
    race = races.fromRoom(daily);
    change({ status: "here", daily, standings: daily.standings, players: daily.player_count });
    live = openLive(daily.id, {
      token: null,
      since: () => (race ? races.since(race) : undefined),
      onFrame: (frame) => {
        if (!race) return;
        race = races.receive(race, frame, performance.now());
        change({ standings: races.standings(race), players: race.room.player_count });
      },
      onStatus: () => {},
    });
    loadMine();
  };
  const loadMine = async () => {
    const { daily } = today;
    if (!daily) return;
    if (!account.player) return change({ mine: null, endsAt: null });
    const mine = await ownStanding(daily.id, signal).catch(() => null);
    change({ mine, endsAt: mine?.state === "racing" ? await ownEnd(daily.id, signal) : null });
  };
  const stopListening = account.onChange(loadMine);
  load();
  return {
    now,
    close() {
      leaving.abort();
      clearTimeout(next);
      live?.close();
      stopListening();
    },
  };
}

/**
 * @param {string} room
 * @param {AbortSignal} signal
 * @returns {Promise<Standing | null>}
 */
async function ownStanding(room, signal) {
  const page = await api.get(`/rooms/${room}/standings?around=me&limit=1`, { signal });
  return (
    page.items.find((/** @type {Standing} */ { player }) => player.id === account.player?.id) ??
    null
  );
}

/**
 * @param {string} room
 * @param {AbortSignal} signal
 * @returns {Promise<string | null>}
 */
async function ownEnd(room, signal) {
  const game = await api.get(`/rooms/${room}/game`, { signal }).catch(() => null);
  return game?.ends_at ?? null;
}

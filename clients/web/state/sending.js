/** What is to be sent now: moves in their order, or the question for the game as it is. */

import { isOwed } from "./lateness.js";

/**
 * @typedef {import("./race.js").Race} Race
 * @typedef {import("../wire/types.js").ClientFrame} ClientFrame
 */

/**
 * Gives the frames to be sent now, and the race once they are.
 * @param {Race} race
 * @param {number} nowMs
 * @returns {{race: Race, frames: ClientFrame[], againAtMs: number | null}}
 *   againAtMs: when to ask again, if nothing happens until then
 */
export function sending(race, nowMs) {
  const { race: next, frames, againAtMs } = outgoing(race, nowMs);
  const begins = frames.length > 0 && !isOwed(race);
  return { race: begins ? { ...next, waitsSinceMs: nowMs } : next, frames, againAtMs };
}

/**
 * @param {Race} race
 * @param {number} nowMs
 * @returns {{race: Race, frames: ClientFrame[], againAtMs: number | null}}
 */
function outgoing(race, nowMs) {
  if (!race.isConnected) return { race, frames: [], againAtMs: null };
  if (race.againAtMs !== null && race.againAtMs > nowMs) {
    return { race, frames: [], againAtMs: race.againAtMs };
  }
  const ready = race.againAtMs === null ? race : { ...race, againAtMs: null };
  if (ready.wantsSync && !ready.isSyncing) {
    return { race: { ...ready, isSyncing: true }, frames: [{ type: "sync" }], againAtMs: null };
  }
  const unsent = ready.pending.filter(({ sent }) => !sent);
  // Until my game has come nobody knows on what they would be played.
  if (!ready.isCurrent || ready.isSyncing || !unsent.length) {
    return { race: ready, frames: [], againAtMs: null };
  }
  /** @type {ClientFrame[]} */
  const frames = unsent.map(({ ply, move }) => ({ type: "move", ply, move }));
  const pending = ready.pending.map((one) => (one.sent ? one : { ...one, sent: true }));
  return { race: { ...ready, pending }, frames, againAtMs: null };
}

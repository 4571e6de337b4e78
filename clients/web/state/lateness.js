/** Whether the server is slow to answer: a dead connection does not say by itself that it is. */

/** @typedef {import("./race.js").Race} Race */

const LATE_MS = 3000;
const ANSWERS = new Set(["ack", "reject", "game", "error"]);

/**
 * Says whether something sent over this connection has no answer yet.
 * @param {Race} race
 */
export function isOwed({ isSyncing, pending }) {
  return isSyncing || pending.some(({ sent }) => sent);
}

/**
 * Gives the race after a frame has come: an answer begins the wait for the next one.
 * @param {Race} race
 * @param {string} type  of the frame
 * @param {number} nowMs
 * @returns {Race}
 */
export function heard(race, type, nowMs) {
  return ANSWERS.has(type) && isOwed(race) ? { ...race, waitsSinceMs: nowMs } : race;
}

/**
 * Gives when the answer that is next will be late; null where none is owed.
 * @param {Race} race
 */
export function lateAtMs(race) {
  return isOwed(race) ? race.waitsSinceMs + LATE_MS : null;
}

/**
 * Says whether an answer is late.
 * @param {Race} race
 * @param {number} nowMs
 */
export function isLate(race, nowMs) {
  const atMs = lateAtMs(race);
  return atMs !== null && atMs <= nowMs;
}

/**
 * A game as a film: how long each of its tables is looked at.
 *
 * @typedef {import("../state/replay.js").Replay} Film
 * Of moves that nobody has played there are no times.
 * @typedef {"1" | "4" | "16" | "true"} Speed  moves at an even pace, or at the times they were made
 */

/** The speeds, slowest first; `true` is as it was. */
export const SPEEDS = /** @type {const} */ (["1", "4", "16", "true"]);

const STEP_MS = 1000;
const LONGEST_PAUSE_MS = 3000;

/**
 * Says how long a film rests before it shows the table after `ply` moves.
 * @param {Film} film
 * @param {number} ply  from 1 on
 * @param {Speed} speed
 * @returns {number} milliseconds; at true speed long thoughts are cut short
 */
export function pauseBefore(film, ply, speed) {
  const [from, to] = [clockAt(film, ply - 1), clockAt(film, ply)];
  if (speed !== "true") return STEP_MS / Number(speed);
  return from === null || to === null ? STEP_MS : Math.min(to - from, LONGEST_PAUSE_MS);
}

/**
 * Gives the race clock after `ply` moves, null for moves that nobody has played.
 * @param {Film} film
 * @param {number} ply
 */
export function clockAt({ timesMs }, ply) {
  return ply === 0 ? 0 : (timesMs[ply - 1] ?? null);
}

/**
 * Reads which move to begin at.
 * @param {string | null} text  of the address
 * @param {Film} film
 */
export function plyFrom(text, { moves }) {
  return /^\d+$/.test(text ?? "") ? Math.min(Number(text), moves.length) : 0;
}

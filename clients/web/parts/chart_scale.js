/**
 * The arithmetic of a chart of placed cards over time.
 *
 * @typedef {[number, number]} Point  a time in milliseconds, and how many cards were placed from then on
 * @typedef {{name: string, points: readonly Point[], me?: boolean}} Line
 * @typedef {{width: number, height: number, top: number, right: number, bottom: number, left: number}} Box
 * @typedef {{x(ms: number): number, y(placed: number): number, timeTicks: number[],
 *   cardTicks: number[], endMs: number, most: number}} Scale
 */

const SUIT = 13;
const LEAST_MS = 10_000;
const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
const PIXELS_PER_TICK = 64;

/** How many lines stand out by colour, dash and marker; the others are thin and grey. */
export const MOST_NAMED = 12;
/** How many colours there are, and markers; the dash changes when they begin again. */
export const COLOURS = 6;

/**
 * Parts lines into those that are named, one's own among them, and the rest.
 * @template {Line} L
 * @param {readonly L[]} lines  the best first
 * @returns {{named: L[], rest: L[]}}
 */
export function partLines(lines) {
  const mine = lines.findIndex(({ me }) => me);
  const last = mine >= MOST_NAMED ? MOST_NAMED - 1 : MOST_NAMED;
  const isNamed = (/** @type {number} */ i) => i < last || i === mine;
  return {
    named: lines.filter((_, i) => isNamed(i)),
    rest: lines.filter((_, i) => !isNamed(i)),
  };
}

/**
 * Fits lines into a box: time from left to right, cards from the bottom to a whole suit.
 * @param {readonly Line[]} lines
 * @param {number} limitMs  no time lies beyond it
 * @param {Box} box
 * @returns {Scale}
 */
export function scaleOf(lines, limitMs, { width, height, top, right, bottom, left }) {
  const points = lines.flatMap((line) => line.points);
  const lastMs = Math.max(LEAST_MS, ...points.map(([ms]) => ms));
  const endMs = Math.max(lastMs, Math.min(limitMs, lastMs * 1.05));
  const most = Math.ceil(Math.max(1, ...points.map(([, placed]) => placed)) / SUIT) * SUIT;
  return {
    endMs,
    most,
    x: (ms) => left + (ms / endMs) * (width - left - right),
    y: (placed) => height - bottom - (placed / most) * (height - top - bottom),
    timeTicks: timeTicks(endMs, Math.max(2, Math.floor((width - left - right) / PIXELS_PER_TICK))),
    cardTicks: upTo(most, most > SUIT ? SUIT : 5),
  };
}

/**
 * Gives round times from 0 to an end, `most` steps of them or fewer.
 * @param {number} endMs
 * @param {number} most
 */
export function timeTicks(endMs, most) {
  const step = STEPS_S.find((seconds) => endMs / (seconds * 1000) <= most) ?? STEPS_S.at(-1);
  return upTo(endMs, /** @type {number} */ (step) * 1000);
}

/**
 * @param {number} end
 * @param {number} step
 */
function upTo(end, step) {
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => i * step);
}

/**
 * Draws a line as a path of steps: flat until something changes.
 * @param {readonly Point[]} points
 * @param {Pick<Scale, "x" | "y">} scale
 */
export function stepPath(points, { x, y }) {
  const at = (/** @type {number} */ value) => String(Math.round(value * 10) / 10);
  return points
    .map(([ms, placed], i) => (i ? `H${at(x(ms))}V` : `M${at(x(ms))} `) + at(y(placed)))
    .join("");
}

/** Ghosts: how others stood at the same time on their own clocks, as if they raced now. */

import { rankStandings } from "./standings.js";

/**
 * @typedef {import("../wire/types.js").Curve} Curve
 * @typedef {import("../wire/types.js").Entry} Entry
 * @typedef {import("../wire/types.js").Standing} Standing
 * @typedef {{points: readonly (readonly [number, number])[]}} Progress  of somebody or other
 */

const CARDS = 52;

/**
 * Gives how many cards the player of a curve had placed at that time.
 * @param {Progress} curve
 * @param {number} elapsedMs
 */
export function placedAt(curve, elapsedMs) {
  return pointAt(curve, elapsedMs)[1];
}

/**
 * Ranks those curves as they were at that time, with my own standing of now among them. What a
 * ghost's score and actions were is not known, so actions decide nothing.
 * @param {readonly Curve[]} curves
 * @param {Entry} me
 * @param {number} elapsedMs
 * @returns {Standing[]}
 */
export function rankGhosts(curves, me, elapsedMs) {
  const others = curves.filter(({ player, points }) => player.id !== me.player.id && points.length);
  const ghosts = others.map((curve) => ghost(curve, elapsedMs));
  const rows = rankStandings([{ ...me, actions: 0 }, ...ghosts]);
  return rows.map((row) => (row.player.id === me.player.id ? { ...me, rank: row.rank } : row));
}

/**
 * @param {Curve} curve
 * @param {number} elapsedMs
 * @returns {Entry}
 */
function ghost(curve, elapsedMs) {
  const [at_ms, placed] = pointAt(curve, elapsedMs);
  const state = placed === CARDS ? "won" : "racing";
  return { player: curve.player, state, placed, score: 0, actions: 0, at_ms };
}

/**
 * Gives the last point that is not later; before the first, that one.
 * @param {Progress} curve
 * @param {number} elapsedMs
 */
function pointAt({ points }, elapsedMs) {
  return points.findLast(([atMs]) => atMs <= elapsedMs) ?? points[0] ?? [0, 0];
}

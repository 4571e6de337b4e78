/**
 * My own moves: shown at once, sent in order, counted once. A pending move waits for its answer;
 * answers come in the order in which the moves were sent.
 */

import { placed } from "../rules/table.js";
import { step } from "./ground.js";
import { hasEnded } from "./standings.js";

/**
 * @typedef {import("./race.js").Race} Race
 * @typedef {import("./ground.js").Ground} Ground
 *
 * @typedef {{ply: number, move: string, sent: boolean}} Pending  sent: on this connection
 *
 * @typedef {object} Shown  what the player sees: everything played, confirmed or not
 * @property {import("../rules/table.js").Table | null} table
 * @property {number} ply
 * @property {number} placed
 * @property {number} score
 *
 * @typedef {{id: number, move: string, code: string, detail: string}} Refused
 *   code: of the `reject`; id: rises with each, so that each is shown once
 */

const MOST_PENDING = 128; // full: nothing more is played; a socket takes 200 frames at once

/** @type {Shown} */
export const NOTHING_SHOWN = Object.freeze({ table: null, ply: 0, placed: 0, score: 0 });

/**
 * Gives the game as it is after everything pending, without what is not legal there.
 * @param {Race} race
 * @returns {{grounds: Ground[], pending: readonly Pending[]}} grounds: the confirmed one, then one
 *   after each move
 */
export function playAhead({ ground, pending, room }) {
  const grounds = ground ? [ground] : [];
  for (const { move } of pending) {
    const last = grounds.at(-1);
    const next = last ? step(last, move, room) : null;
    if (!next) break;
    grounds.push(next);
  }
  return { grounds, pending: pending.slice(0, Math.max(0, grounds.length - 1)) };
}

/**
 * Adds a move to be sent, if the game takes it as it is shown.
 * @param {Race} race
 * @param {string} move
 * @returns {Race}
 */
export function addMove(race, move) {
  const { tip, game, pending, room, isShutOut } = race;
  const isPlaying = game !== null && !hasEnded(game.state) && !isShutOut;
  const next = tip && isPlaying && pending.length < MOST_PENDING ? step(tip, move, room) : null;
  if (!tip || !next) return race;
  return show({ ...race, pending: [...pending, { ply: tip.ply, move, sent: false }] }, next, tip);
}

/**
 * Gives the race with what its player is to see, after something has changed below it.
 * @param {Race} race
 * @returns {Race}
 */
export function showAhead(race) {
  const { grounds, pending } = playAhead(race);
  const tip = grounds.at(-1);
  if (!tip) return { ...race, tip: null, shown: NOTHING_SHOWN };
  const kept = pending.length === race.pending.length ? race : dropFrom(race, pending.length);
  return show(kept, tip, grounds.findLast(({ table }) => table !== null) ?? tip);
}

/**
 * @param {Race} race
 * @param {Ground} tip
 * @param {Ground} before  what an undo brings back may not be known here: then what was shown
 *   before stays until the server's answer
 * @returns {Race}
 */
function show(race, tip, before) {
  const table = tip.table ?? before.table ?? race.shown.table;
  const shown = { table, ply: tip.ply, placed: table ? placed(table) : 0, score: tip.score };
  return { ...race, tip, shown };
}

/**
 * Drops a pending move and those after it, which were made on a table that is not to be.
 * @param {Race} race
 * @param {number} place  among the pending
 * @returns {Race}
 */
export function dropFrom(race, place) {
  const lost = race.pending.slice(place).filter(({ sent }) => sent);
  return {
    ...race,
    pending: race.pending.slice(0, place),
    disowned: [...race.disowned, ...lost.map(({ ply }) => ply)],
  };
}

/**
 * Notes that a move was refused, for the player to be told.
 * @param {Race} race
 * @param {Omit<Refused, "id">} why
 * @returns {Race}
 */
export function refuse(race, why) {
  return { ...race, refused: { ...why, id: (race.refused?.id ?? 0) + 1 } };
}

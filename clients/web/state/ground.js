/**
 * A game as far as it is known: the table with what lay there before, so that undo shows at once.
 * The server plays every game itself; here it is played ahead of its answers.
 */

import { play, reveal } from "../rules/moves.js";
import { hashOf } from "../rules/position.js";
import { isWon, placed, tableFromView } from "../rules/table.js";
import { fitTogether } from "./seen.js";

/**
 * @typedef {import("../rules/table.js").Table} Table
 * @typedef {import("../wire/types.js").GameView} GameView
 * @typedef {import("../wire/types.js").Ack} Ack
 * @typedef {import("../wire/types.js").Room} Room
 *
 * @typedef {object} Ground
 * @property {number} ply  how many actions there were
 * @property {Table | null} table  null after an undo to what is not known here
 * @property {number} score
 * @property {readonly {table: Table, score: number}[]} history  what lay there before the last
 *   actions, as far as it is known
 * @property {number} undoLeft  how many actions can be taken back; at least as many as are known
 */

export const UNDO = "u";
const UNDO_DEPTH = 100;
const POINTS = 5;
const DECK_PRICE = 50;
const WON_DOLLARS = 450;

/**
 * Gives a game as the server shows it: what lay there before is not known.
 * @param {GameView} view
 * @param {Room} room
 * @returns {Ground}
 */
export function groundOf(view, room) {
  const table = tableFromView(view, room);
  return { ply: view.ply, table, score: view.score, history: [], undoLeft: view.undo_left };
}

/**
 * Gives the game after an action; null where that is not legal, as far as is known here.
 * @param {Ground} ground
 * @param {string} move
 * @param {Room} room
 * @returns {Ground | null}
 */
export function step(ground, move, room) {
  if (move === UNDO) return undone(ground);
  if (!ground.table) return null;
  const played = play(ground.table, move);
  if ("refusal" in played) return null;
  const { table } = played;
  const before = { table: ground.table, score: ground.score };
  const undoable = room.undo && !isWon(table);
  return {
    ply: ground.ply + 1,
    table,
    score: scoreAfter(before, table),
    history: undoable ? [...ground.history, before].slice(-UNDO_DEPTH) : [],
    undoLeft: undoable ? Math.min(UNDO_DEPTH, ground.undoLeft + 1) : 0,
  };
}

/**
 * Gives the game after an action that the server has acknowledged, and whether both agree.
 * @param {Ground} ground
 * @param {Ack} ack
 * @param {Room} room
 * @returns {{ground: Ground, agrees: boolean}}
 */
export function confirm(ground, ack, room) {
  const stepped = step(ground, ack.move, room);
  if (ack.game) {
    return { ground: settle(stepped, ack.game, room) ?? groundOf(ack.game, room), agrees: true };
  }
  if (!stepped?.table) return { ground: { ...ground, ply: ack.ply + 1 }, agrees: false };
  const table = reveal(stepped.table, ack.revealed);
  return { ground: { ...stepped, table, score: ack.score }, agrees: hashOf(table) === ack.hash };
}

/**
 * Puts what is known here and what the server shows together; null where they contradict.
 * @param {Ground | null} ground
 * @param {GameView} view
 * @param {Room} room
 * @returns {Ground | null}
 */
export function settle(ground, view, room) {
  const shown = groundOf(view, room);
  if (!ground || ground.ply !== view.ply || !ground.table || !shown.table) return null;
  const table = fitTogether(ground.table, shown.table);
  if (!table) return null;
  const history = ground.history.slice(Math.max(0, ground.history.length - view.undo_left));
  return { ...shown, table, history };
}

/** @param {Ground} ground */
function undone({ ply, score, history, undoLeft }) {
  if (undoLeft === 0) return null;
  const before = history.at(-1) ?? { table: null, score };
  return { ...before, ply: ply + 1, history: history.slice(0, -1), undoLeft: undoLeft - 1 };
}

/**
 * Rules P1 and P2.
 * @param {{table: Table, score: number}} before
 * @param {Table} table
 */
function scoreAfter(before, table) {
  if (table.ruleset === "CH1") {
    return isWon(table) ? WON_DOLLARS : POINTS * placed(table) - DECK_PRICE;
  }
  return before.score + POINTS * Math.max(0, placed(table) - placed(before.table));
}

/**
 * Where cards may go: what a tap means, what lights up, and what a drop on a pile is as a move.
 *
 * @typedef {import("./legality.js").Refusal} Refusal
 * @typedef {import("./move_text.js").Move} Move
 * @typedef {import("./table.js").Column} Column
 * @typedef {import("./table.js").Pile} Pile
 * @typedef {import("./table.js").Table} Table
 * @typedef {{pile: Pile, count: number}} Source so many cards from the end of a pile
 */
import { suitOf } from "./cards.js";
import { firstCarried, whyKept, whyNot } from "./legality.js";
import { isColumn, isFoundation, writeMove } from "./move_text.js";
import { COLUMNS, columnOf } from "./table.js";

/** Refusals that say more about a tap than that its cards can go nowhere. */
const TELLING = ["unknown", "T2"];

/**
 * Every legal place for a source, with the move that brings it there; none for the stock, whose
 * cards nobody carries.
 * @param {Table} table
 * @param {Source} source
 * @returns {{pile: Pile, move: string}[]}
 */
export function targets(table, source) {
  if (source.pile === "stock") return [];
  const moves = [...movesUp(source), ...COLUMNS.map((column) => toColumn(source, column))];
  return moves
    .filter((move) => move.target !== source.pile && whyNot(table, move) === null)
    .map((move) => ({ pile: placeOf(table, move), move: writeMove(move) }));
}

/**
 * The move that a tap stands for. Rule A1. A tap on the stock draws; without `toColumns` taps
 * send cards to the foundations only.
 * @param {Table} table
 * @param {Source} source
 * @param {{toColumns: boolean}} options
 * @returns {{move: string} | {refusal: Refusal}}
 */
export function resolveTap(table, source, { toColumns }) {
  const kept = whyKept(table, source.pile, source.count);
  if (kept) return { refusal: kept };
  if (source.pile === "stock") return { move: "d" };
  if (isFoundation(source.pile)) return { refusal: { rule: "A1", reason: "nowhere" } };
  const columns = toColumns ? columnsByLength(table, source.pile) : [];
  const candidates = [...movesUp(source), ...columns.map((column) => toColumn(source, column))];
  const verdicts = candidates.map((move) => ({ move, refusal: whyNot(table, move) }));
  const legal = verdicts.find(({ refusal }) => refusal === null);
  if (legal) return { move: writeMove(legal.move) };
  const telling = verdicts.find(({ refusal }) => TELLING.includes(refusal?.rule ?? ""));
  return { refusal: telling?.refusal ?? { rule: "A1", reason: "nowhere" } };
}

/**
 * The move that brings a source to a pile, or what forbids it.
 * @param {Table} table
 * @param {Source} source
 * @param {Pile} pile
 * @returns {{move: string} | {refusal: Refusal}}
 */
export function moveBetween(table, source, pile) {
  const move = isColumn(pile) ? toColumn(source, pile) : { ...toColumn(source, "1"), target: "up" };
  const refusal = whyNotThere(table, source, pile) ?? whyNot(table, /** @type {Move} */ (move));
  return refusal ? { refusal } : { move: writeMove(/** @type {Move} */ (move)) };
}

/**
 * What forbids a drop before the rules of moves are asked, which know no such moves.
 * @param {Table} table
 * @param {Source} source
 * @param {Pile} pile
 * @returns {Refusal | null}
 */
function whyNotThere(table, source, pile) {
  const kept = whyKept(table, source.pile, source.count);
  if (kept) return kept;
  if (source.pile === "stock" || source.pile === pile) return { rule: "A1", reason: "nowhere" };
  if (pile === "reserve") return { rule: "R1", reason: "takesNothing" };
  if (pile === "stock" || pile === "waste") return { rule: "S1", reason: "takesNothing" };
  if (isColumn(pile)) return null;
  if (isFoundation(source.pile)) return { rule: "F1", reason: "otherSuit", suit: pile };
  if (source.count > 1) return { rule: "F1", reason: "oneAtATime" };
  const card = firstCarried(table, source.pile, 1);
  return card && suitOf(card) !== pile
    ? { rule: "F1", reason: "otherSuit", card, suit: pile }
    : null;
}

/**
 * @param {Source} source
 * @returns {Move[]}
 */
function movesUp({ pile, count }) {
  return count === 1 && !isFoundation(pile) ? [{ source: pile, target: "up", count }] : [];
}

/**
 * @param {Source} source
 * @param {Column} target
 * @returns {Move}
 */
function toColumn({ pile, count }, target) {
  return { source: pile, target, count };
}

/**
 * The other columns in the order that rule A1 tries them: longest first, leftmost among equals.
 * @param {Table} table
 * @param {Pile} source
 * @returns {Column[]}
 */
function columnsByLength(table, source) {
  return COLUMNS.filter((column) => column !== source).sort(
    (a, b) => columnOf(table, b).length - columnOf(table, a).length,
  );
}

/**
 * @param {Table} table
 * @param {Move} move a legal one
 * @returns {Pile}
 */
function placeOf(table, { source, target }) {
  if (target !== "up") return target;
  return suitOf(/** @type {string} */ (firstCarried(table, source, 1)));
}

/** What has changed between two tables, as facts that words can be made of. */

import { ALL_SUITS, cardAbove } from "../rules/cards.js";
import { COLUMNS, columnOf, isWon } from "../rules/table.js";

/**
 * @typedef {import("../rules/cards.js").Card} Card
 * @typedef {import("../rules/table.js").Pile} Pile
 * @typedef {import("../rules/table.js").Seen} Seen
 * @typedef {import("../rules/table.js").Table} Table
 *
 * @typedef {{kind: "moved", card: Card, count: number, to: Pile}
 *   | {kind: "drawn", cards: Card[]}
 *   | {kind: "undrawn" | "turnedOver" | "reserveEmpty" | "won"}
 *   | {kind: "reserveShows", card: Card}} Change  `card` of a run is the one that lies undermost
 */

/**
 * Lists what has changed, in the order in which it is told.
 * @param {Table} before
 * @param {Table} after
 * @returns {Change[]}
 */
export function changesBetween(before, after) {
  /** @type {Change[]} */
  const changes = [...stockChanges(before, after), ...moves(before, after)];
  const top = after.reserve.at(-1);
  if (before.reserve.length && !after.reserve.length) changes.push({ kind: "reserveEmpty" });
  else if (top && top !== before.reserve.at(-1)) changes.push({ kind: "reserveShows", card: top });
  if (isWon(after) && !isWon(before)) changes.push({ kind: "won" });
  return changes;
}

/**
 * @param {Table} before
 * @param {Table} after
 * @returns {Change[]}
 */
function stockChanges(before, after) {
  if (after.stock.length > before.stock.length) {
    const over = before.stock.length === 0 && after.waste.length === 0;
    return [{ kind: over ? "turnedOver" : "undrawn" }];
  }
  const seen = new Set(before.waste);
  const cards = known(after.waste.filter((card) => !seen.has(card)));
  if (!cards.length) return [];
  const drawn = after.stock.length < before.stock.length || before.waste.includes(null);
  if (drawn) return [{ kind: "drawn", cards }];
  return [{ kind: "moved", card: cards[0], count: cards.length, to: "waste" }];
}

/**
 * The cards that lie on another column or foundation than before, runs taken together; in a refill
 * the card of the reserve comes last, as it drops last.
 * @param {Table} before
 * @param {Table} after
 * @returns {Change[]}
 */
function moves(before, after) {
  const found = [];
  for (const suit of ALL_SUITS) {
    const count = after.foundations[suit] - before.foundations[suit];
    if (count <= 0) continue;
    const card = cardAbove(after.base, after.foundations[suit] - 1, suit);
    found.push({ kind: /** @type {const} */ ("moved"), card, count, to: suit });
  }
  const reserveTop = before.reserve.at(-1);
  for (const to of COLUMNS) {
    const was = new Set(columnOf(before, to));
    const came = known(columnOf(after, to).filter((card) => !was.has(card)));
    if (!came.length) continue;
    found.push({ kind: /** @type {const} */ ("moved"), card: came[0], count: came.length, to });
  }
  const drops = (/** @type {{card: Card}} */ { card }) => Number(card === reserveTop);
  return found.sort((a, b) => drops(a) - drops(b));
}

/**
 * @param {readonly Seen[]} cards
 * @returns {Card[]}
 */
function known(cards) {
  return /** @type {Card[]} */ (cards.filter((card) => card !== null));
}

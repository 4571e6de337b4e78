/**
 * The table: all that a player may see of one game, as frozen data.
 *
 * @typedef {import("./cards.js").Card} Card
 * @typedef {import("./cards.js").Suit} Suit
 * @typedef {Card | null} Seen a card, or null where the player does not know it
 * @typedef {Readonly<Record<Suit, number>>} Foundations how many cards lie on each
 *
 * Waste, reserve and columns have their oldest card first, the one on top last; `stock[0]` is
 * drawn first. `base` is the rank that starts the foundations.
 * @typedef {Readonly<{
 *   ruleset: "CF1" | "CH1", draw: 1 | 3, base: string,
 *   stock: readonly Seen[], waste: readonly Seen[], reserve: readonly Seen[],
 *   columns: readonly (readonly Seen[])[], foundations: Foundations,
 * }>} Table
 *
 * The table's piles by name: columns by number, foundations by suit.
 * @typedef {"1" | "2" | "3" | "4"} Column
 * @typedef {"stock" | "waste" | "reserve" | Column | Suit} Pile
 */
import { ALL_SUITS, cardAbove, RANKS } from "./cards.js";

export const DECK_SIZE = 52;
export const COLUMNS = /** @type {readonly Column[]} */ (Object.freeze(["1", "2", "3", "4"]));

/**
 * A table of its own from loose parts, frozen through and through.
 * @param {Table} parts
 * @returns {Table}
 */
export function freezeTable({ ruleset, draw, base, stock, waste, reserve, columns, foundations }) {
  return Object.freeze({
    ruleset,
    draw,
    base,
    stock: frozenCopy(stock),
    waste: frozenCopy(waste),
    reserve: frozenCopy(reserve),
    columns: Object.freeze(columns.map(frozenCopy)),
    foundations: Object.freeze({ ...foundations }),
  });
}

/**
 * @param {readonly Seen[]} cards
 * @returns {readonly Seen[]}
 */
function frozenCopy(cards) {
  return Object.isFrozen(cards) ? cards : Object.freeze([...cards]);
}

/**
 * The table of a game under way, from a `game` frame or GET game: the stock is unknown, and the
 * reserve below its top.
 * @param {{base: string, stock_count: number, waste: Card[], reserve_count: number,
 *   reserve_top: Card | null, columns: Card[][], foundations: Foundations}} view
 * @param {{ruleset: "CF1" | "CH1", draw: 1 | 3}} variant
 * @returns {Table}
 */
export function tableFromView(view, { ruleset, draw }) {
  const top = view.reserve_top === null ? [] : [view.reserve_top];
  return freezeTable({
    ruleset,
    draw,
    base: view.base,
    stock: new Array(view.stock_count).fill(null),
    waste: view.waste,
    reserve: [...new Array(view.reserve_count - top.length).fill(null), ...top],
    columns: view.columns,
    foundations: view.foundations,
  });
}

/**
 * The opening table of a deal laid open, from GET /deals/{code}: every card is known.
 * @param {{ruleset: "CF1" | "CH1", draw: 1 | 3, base: string, stock: Card[], reserve: Card[],
 *   columns: Card[][], foundations: Foundations}} deal
 * @returns {Table}
 */
export function tableFromDeal({ ruleset, draw, base, stock, reserve, columns, foundations }) {
  return freezeTable({ ruleset, draw, base, stock, waste: [], reserve, columns, foundations });
}

/**
 * The cards of a column.
 * @param {Table} table
 * @param {Column} column
 */
export function columnOf(table, column) {
  return table.columns[Number(column) - 1];
}

/**
 * How many cards lie on the foundations.
 * @param {Table} table
 */
export function placed({ foundations }) {
  return ALL_SUITS.reduce((sum, suit) => sum + foundations[suit], 0);
}

/**
 * Whether all four foundations are complete. Rule W1.
 * @param {Table} table
 */
export function isWon(table) {
  return placed(table) === DECK_SIZE;
}

/**
 * The top card of a suit's foundation, null while it is empty.
 * @param {Table} table
 * @param {Suit} suit
 * @returns {Card | null}
 */
export function foundationTop({ base, foundations }, suit) {
  return foundations[suit] ? cardAbove(base, foundations[suit] - 1, suit) : null;
}

/**
 * The card that a suit's foundation takes next, null once it is complete. Rule F1.
 * @param {Table} table
 * @param {Suit} suit
 * @returns {Card | null}
 */
export function nextUp({ base, foundations }, suit) {
  const count = foundations[suit];
  return count < RANKS.length ? cardAbove(base, count, suit) : null;
}

/**
 * Moves made and listed, by rulesets CF1 and CH1: pure, and at ease with cards nobody has seen.
 *
 * @typedef {import("./cards.js").Card} Card
 * @typedef {import("./legality.js").Refusal} Refusal
 * @typedef {import("./move_text.js").Move} Move
 * @typedef {import("./table.js").Pile} Pile
 * @typedef {import("./table.js").Seen} Seen
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./targets.js").Source} Source
 */
import { ALL_SUITS, suitOf } from "./cards.js";
import { firstCarried, runLength, whyNot } from "./legality.js";
import { isColumn, isFoundation, readMove } from "./move_text.js";
import { COLUMNS, columnOf, freezeTable } from "./table.js";
import { targets } from "./targets.js";

export { moveBetween, resolveTap, targets } from "./targets.js";

/**
 * The table after a move, its refill included, or what forbids the move. Cards that nobody has
 * seen come up as null; `reveal` fills them in.
 * @param {Table} table
 * @param {string} text a move of the contract, neither a tap nor "u"
 * @returns {{table: Table} | {refusal: Refusal}}
 */
export function play(table, text) {
  const move = readMove(text);
  if (!move) return { refusal: { rule: "unknown", reason: "unreadable" } };
  const refusal = whyNot(table, move);
  if (refusal) return { refusal };
  return { table: move.source === "stock" ? afterDraw(table) : refilled(carried(table, move)) };
}

/**
 * The table with the cards that the last move turned up, as its ack tells them: drawn cards in
 * order, or the reserve's new top. Asks for a table on which all before that move is known, so
 * what is unknown there is what the move turned up; where nothing is, the table holds the
 * server's cards already.
 * @param {Table} table
 * @param {readonly Card[]} cards
 * @returns {Table}
 */
export function reveal(table, cards) {
  const { waste, reserve } = table;
  if (!cards.length) return table;
  if (waste.includes(null)) {
    return freezeTable({ ...table, waste: [...waste.slice(0, -cards.length), ...cards] });
  }
  if (reserve.at(-1) === null) {
    return freezeTable({ ...table, reserve: [...reserve.slice(0, -1), cards[0]] });
  }
  return table;
}

/**
 * Every legal move as text, in ASCII order.
 * @param {Table} table
 * @returns {string[]}
 */
export function legalMoves(table) {
  const moves = sources(table).flatMap((source) => targets(table, source).map(({ move }) => move));
  if (table.stock.length || table.waste.length) moves.push("d");
  return moves.sort();
}

/**
 * All that could be carried, by what lies there: tops, and the ends of columns as far as they run.
 * @param {Table} table
 * @returns {Source[]}
 */
function sources(table) {
  const tops = /** @type {Pile[]} */ (["waste", "reserve", ...ALL_SUITS]);
  const runs = COLUMNS.flatMap((pile) =>
    Array.from({ length: runLength(columnOf(table, pile)) }, (_, i) => ({ pile, count: i + 1 })),
  );
  return [...tops.map((pile) => ({ pile, count: 1 })), ...runs];
}

/**
 * The table after drawing, or after turning the waste over. Rules S1 and S2.
 * @param {Table} table
 * @returns {Table}
 */
function afterDraw(table) {
  const { stock, waste, draw } = table;
  if (!stock.length) return freezeTable({ ...table, stock: waste, waste: [] });
  const drawn = stock.slice(0, draw);
  return freezeTable({ ...table, stock: stock.slice(draw), waste: [...waste, ...drawn] });
}

/**
 * The table with a legal move's cards where they go, a column left empty not yet refilled.
 * @param {Table} table
 * @param {Move} move
 * @returns {Table}
 */
function carried(table, { source, target, count }) {
  const first = /** @type {Card} */ (firstCarried(table, source, count));
  const from = pileCards(table, source);
  const cards = isFoundation(source) ? [first] : from.slice(-count);
  const left = withPile(table, source, from.slice(0, -count), -1);
  const place = target === "up" ? suitOf(first) : target;
  return withPile(left, place, [...pileCards(left, place), ...cards], 1);
}

/**
 * The table with each empty column filled from the top of the reserve. Rule R2.
 * @param {Table} table
 * @returns {Table}
 */
function refilled(table) {
  const empty = COLUMNS.find((column) => !columnOf(table, column).length);
  if (!empty || !table.reserve.length) return table;
  const reserve = table.reserve.slice(0, -1);
  return withPile(freezeTable({ ...table, reserve }), empty, table.reserve.slice(-1), 1);
}

/**
 * @param {Table} table
 * @param {Pile} pile
 * @returns {readonly Seen[]} nothing for a foundation, which is kept as a count
 */
function pileCards(table, pile) {
  if (isColumn(pile)) return columnOf(table, pile);
  return isFoundation(pile) ? [] : table[pile];
}

/**
 * The table with other cards in a pile; of a foundation, with `change` cards more.
 * @param {Table} table
 * @param {Pile} pile
 * @param {readonly Seen[]} cards
 * @param {number} change
 * @returns {Table}
 */
function withPile(table, pile, cards, change) {
  if (isFoundation(pile)) {
    const foundations = { ...table.foundations, [pile]: table.foundations[pile] + change };
    return freezeTable({ ...table, foundations });
  }
  if (!isColumn(pile)) return freezeTable({ ...table, [pile]: cards });
  const columns = table.columns.map((old, i) => (i === Number(pile) - 1 ? cards : old));
  return freezeTable({ ...table, columns });
}

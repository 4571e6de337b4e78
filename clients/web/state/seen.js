/** Two views of one table put together: what either knows, and null where they contradict. */

import { ALL_SUITS } from "../rules/cards.js";
import { freezeTable } from "../rules/table.js";

/**
 * @typedef {import("../rules/table.js").Table} Table
 * @typedef {import("../rules/table.js").Seen} Seen
 */

/**
 * Gives the table that both show; null if they cannot be the same.
 * @param {Table} one
 * @param {Table} other
 * @returns {Table | null}
 */
export function fitTogether(one, other) {
  if (one.base !== other.base) return null;
  if (ALL_SUITS.some((suit) => one.foundations[suit] !== other.foundations[suit])) return null;
  const stock = fitPile(one.stock, other.stock);
  const waste = fitPile(one.waste, other.waste);
  const reserve = fitPile(one.reserve, other.reserve);
  if (!stock || !waste || !reserve) return null;
  const columns = [];
  for (const [place, column] of one.columns.entries()) {
    const fitted = fitPile(column, other.columns[place]);
    if (!fitted) return null;
    columns.push(fitted);
  }
  return freezeTable({ ...one, stock, waste, reserve, columns });
}

/**
 * @param {readonly Seen[]} one
 * @param {readonly Seen[]} other
 * @returns {Seen[] | null}
 */
function fitPile(one, other) {
  if (one.length !== other.length) return null;
  const differs = one.some((card, i) => card !== null && other[i] !== null && card !== other[i]);
  return differs ? null : one.map((card, i) => card ?? other[i]);
}

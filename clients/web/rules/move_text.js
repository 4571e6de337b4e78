/**
 * Moves as the contract writes them, read and written.
 *
 * @typedef {import("./table.js").Pile} Pile
 * @typedef {import("./table.js").Column} Column
 *
 * A move taken apart: so many cards from one pile to another. The target "up" is the foundation
 * of the card's own suit; a draw goes from "stock" to "waste".
 * @typedef {{source: Pile, target: Column | "waste" | "up", count: number}} Move
 */

const LETTER_OF = new Map([
  ["waste", "w"],
  ["reserve", "r"],
]);
const PILE_OF = new Map([
  ["w", "waste"],
  ["r", "reserve"],
]);
const LONGEST_RUN = 52;

/**
 * A move taken apart, or null for a text that is none: taps and "u" are none.
 * @param {string} text
 * @returns {Move | null}
 */
export function readMove(text) {
  if (text === "d") return { source: "stock", target: "waste", count: 1 };
  const parts = /^([wr1-4CDHS])([1-4f])(?:x([1-9]\d?))?$/.exec(text);
  if (!parts) return null;
  const [, from, to, counted] = parts;
  const count = Number(counted ?? 1);
  const source = /** @type {Pile} */ (PILE_OF.get(from) ?? from);
  const target = /** @type {Column | "up"} */ (to === "f" ? "up" : to);
  if (from === to || (target === "up" && "CDHS".includes(from))) return null;
  if (counted && (target === "up" || !isColumn(source) || count < 2 || count > LONGEST_RUN)) {
    return null;
  }
  return { source, target, count };
}

/**
 * The text of a move.
 * @param {Move} move
 * @returns {string}
 */
export function writeMove({ source, target, count }) {
  if (source === "stock") return "d";
  const to = target === "up" ? "f" : target;
  return `${LETTER_OF.get(source) ?? source}${to}${count > 1 ? `x${count}` : ""}`;
}

/**
 * Whether a pile is one of the four columns.
 * @param {string} pile
 * @returns {pile is Column}
 */
export function isColumn(pile) {
  return pile >= "1" && pile <= "4";
}

/**
 * Whether a pile is one of the four foundations.
 * @param {string} pile
 * @returns {pile is import("./cards.js").Suit}
 */
export function isFoundation(pile) {
  return pile.length === 1 && "CDHS".includes(pile);
}

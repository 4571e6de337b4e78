/**
 * Cards as text, and which card goes on which: ranks are a circle, after K comes A.
 *
 * @typedef {string} Card a rank and a suit, as "7H"
 * @typedef {"C" | "D" | "H" | "S"} Suit
 */

export const SUITS = "CDHS";
export const RANKS = "A23456789TJQK";

/** The suits one by one, in the order of the contract. */
export const ALL_SUITS = /** @type {readonly Suit[]} */ (Object.freeze(["C", "D", "H", "S"]));

/**
 * The suit of a card.
 * @param {Card} card
 * @returns {Suit}
 */
export function suitOf(card) {
  return /** @type {Suit} */ (card[1]);
}

/**
 * The rank of a card as a number, 0 for the ace to 12 for the king.
 * @param {Card} card
 */
export function rankOf(card) {
  return RANKS.indexOf(card[0]);
}

/**
 * Whether a card is a diamond or a heart.
 * @param {Card} card
 */
export function isRed(card) {
  return card[1] === "D" || card[1] === "H";
}

/**
 * The card so many ranks above the rank given as a letter, in a suit; around the circle.
 * @param {string} rank
 * @param {number} steps not negative
 * @param {Suit} suit
 * @returns {Card}
 */
export function cardAbove(rank, steps, suit) {
  return RANKS[(RANKS.indexOf(rank) + steps) % RANKS.length] + suit;
}

/**
 * Whether a card goes on another at the end of a column. Rule T1.
 * @param {Card} card
 * @param {Card} tail
 */
export function restsOn(card, tail) {
  return isRed(card) !== isRed(tail) && (rankOf(card) + 1) % RANKS.length === rankOf(tail);
}

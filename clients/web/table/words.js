/** The table in words: its piles, what has changed, and why a move is refused. */

import { isColumn, isFoundation } from "../rules/move_text.js";
import { cardName, rankName, suitName } from "../words/cards.js";
import { t } from "../words/words.js";
import { changesBetween } from "./changes.js";
import { cardsOf } from "./layout.js";

/**
 * @typedef {import("../rules/cards.js").Card} Card
 * @typedef {import("../rules/cards.js").Suit} Suit
 * @typedef {import("../rules/legality.js").Refusal} Refusal
 * @typedef {import("../rules/table.js").Pile} Pile
 * @typedef {import("../rules/table.js").Table} Table
 * @typedef {import("./changes.js").Change} Change
 */

/** More changes at once than a move can make are not told one by one. */
const MOST_CHANGES = 4;
/** How many cards of the waste are named. */
const WASTE_NAMED = 3;

/**
 * Gives a pile's name and what lies there: “Reserve, 11 cards: queen of spades”.
 * @param {Table} table
 * @param {Pile} pile
 * @returns {string}
 */
export function pileText(table, pile) {
  const cards = cardsOf(table, pile);
  const name = pileName(pile);
  if (pile === "stock" && cards.length) return t("table.stock", { n: cards.length });
  if (pile === "stock") return t(table.waste.length ? "table.stockTurns" : "table.stockDone");
  if (!cards.length && isFoundation(pile)) {
    return t("table.foundationEmpty", { pile: name, rank: rankName(table.base) });
  }
  if (!cards.length) return t("table.empty", { pile: name });
  const named = isColumn(pile) ? cards.length : pile === "waste" ? WASTE_NAMED : 1;
  const list = cards.slice(-named).reverse().map(seenName).join(", ");
  return t("table.pile", { pile: name, n: cards.length, cards: list });
}

/**
 * Tells what is different between two tables; "" if nothing is or too much.
 * @param {Table} before
 * @param {Table} after
 * @returns {string}
 */
export function changeText(before, after) {
  const changes = changesBetween(before, after);
  if (changes.length > MOST_CHANGES) return "";
  return changes.map((change) => sentence(oneChange(change, after))).join(" ");
}

/**
 * Tells what is picked up.
 * @param {Table} table
 * @param {{pile: Pile, count: number}} held
 * @returns {string}
 */
export function heldText(table, { pile, count }) {
  const card = seenName(cardsOf(table, pile).at(-count) ?? null);
  return sentence(t("table.held", { card, n: count }));
}

/**
 * Says why a move is refused.
 * @param {Refusal} refusal
 * @returns {string}
 */
export function refusalText({ reason, card, next, tail, column = "", count = 0, suit }) {
  const named = reason === "notNext" && !next ? "nowhere" : reason;
  const values = {
    card: card ? cardName(card) : "",
    next: next ? cardName(next) : "",
    tail: tail ? cardName(tail) : "",
    suit: suit ? suitName(/** @type {Suit} */ (suit)) : "",
    column,
    n: count,
  };
  return sentence(t(`refusal.${named}`, values));
}

/**
 * Gives a pile's name: “Column 2”.
 * @param {Pile} pile
 * @returns {string}
 */
export function pileName(pile) {
  if (isColumn(pile)) return t("table.column", { column: pile });
  if (isFoundation(pile)) return t("table.foundation", { suit: suitName(pile) });
  return t(`table.${pile === "stock" ? "stockName" : pile}`);
}

/**
 * @param {Change} change
 * @param {Table} table  as it is afterwards
 * @returns {string}
 */
function oneChange(change, table) {
  switch (change.kind) {
    case "moved":
      return movedText(change);
    case "drawn":
      return t("table.drawn", { cards: change.cards.map((card) => cardName(card)).join(", ") });
    case "turnedOver":
      return t("table.turnedOver", { n: table.stock.length });
    case "reserveShows":
      return t("table.reserveShows", { card: cardName(change.card) });
    default:
      return t(`table.${change.kind}`);
  }
}

/** @param {Extract<Change, {kind: "moved"}>} change */
function movedText({ card, count, to }) {
  if (isFoundation(to)) return t("table.toFoundation", { card: cardName(card) });
  if (to === "waste") return t("table.toWaste", { card: cardName(card) });
  return t("table.toColumn", { card: cardName(card), n: count, column: to });
}

/** @param {Card | null} card */
function seenName(card) {
  return card ? cardName(card) : t("table.unseen");
}

/**
 * A text that begins with a capital letter.
 * @param {string} text
 */
function sentence(text) {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

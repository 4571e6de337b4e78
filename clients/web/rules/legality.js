/**
 * The verdict on one move: legal, or which rule forbids it and why.
 *
 * A refusal is data; `reason` is the key of its words, the rest are what the words may name.
 * Only rule "unknown" is no verdict: it waits for cards that the server has not told yet.
 * @typedef {"F1" | "T1" | "T2" | "R1" | "R3" | "S1" | "S2" | "B1" | "W1" | "A1" | "unknown"} Rule
 * @typedef {"won" | "nothingToDraw" | "wasteEmpty" | "reserveEmpty" | "foundationEmpty"
 *   | "columnEmpty" | "tooFew" | "notARun" | "onlyWhole" | "noTakeBack" | "onlyWaste"
 *   | "notNext" | "cannotStart" | "notOn" | "oneAtATime" | "otherSuit" | "takesNothing"
 *   | "nowhere" | "unreadable" | "unknown"} Reason
 * @typedef {{rule: Rule, reason: Reason, card?: Card, next?: Card, tail?: Card, column?: string,
 *   count?: number, suit?: string}} Refusal
 *
 * @typedef {import("./cards.js").Card} Card
 * @typedef {import("./move_text.js").Move} Move
 * @typedef {import("./table.js").Pile} Pile
 * @typedef {import("./table.js").Seen} Seen
 * @typedef {import("./table.js").Table} Table
 */
import { restsOn, suitOf } from "./cards.js";
import { isColumn, isFoundation } from "./move_text.js";
import { columnOf, foundationTop, isWon, nextUp } from "./table.js";

/**
 * What forbids a move, null if it is legal.
 * @param {Table} table
 * @param {Move} move
 * @returns {Refusal | null}
 */
export function whyNot(table, move) {
  const { source, target, count } = move;
  const kept = whyKept(table, source, count);
  if (kept || target === "waste") return kept;
  const card = /** @type {Card} */ (firstCarried(table, source, count));
  if (target === "up") return whyNotUp(table, card);
  return whyNotWhole(table, source, count) ?? whyNotOnColumn(table, source, target, card);
}

/**
 * What keeps so many cards in their pile, wherever they would go; null if nothing does.
 * @param {Table} table
 * @param {Pile} source
 * @param {number} count
 * @returns {Refusal | null}
 */
export function whyKept(table, source, count) {
  if (isWon(table)) return { rule: "W1", reason: "won" };
  if (source === "stock") {
    const drawable = table.stock.length || table.waste.length;
    return drawable ? null : { rule: "S2", reason: "nothingToDraw" };
  }
  if (isFoundation(source) && table.ruleset === "CH1") return { rule: "B1", reason: "noTakeBack" };
  const cards = cardsThatPlay(table, source);
  if (count > cards.length) return tooFew(source, count, cards.length);
  const carried = cards.slice(-count);
  if (carried.includes(null)) return { rule: "unknown", reason: "unknown" };
  return isRun(/** @type {Card[]} */ (carried))
    ? null
    : { rule: "T2", reason: "notARun", column: source, count };
}

/**
 * The card of a source that would lie undermost where it goes; undefined if so many are not there.
 * @param {Table} table
 * @param {Pile} source any pile but the stock
 * @param {number} count
 * @returns {Seen | undefined}
 */
export function firstCarried(table, source, count) {
  return cardsThatPlay(table, source).at(-count);
}

/**
 * How many cards at the end of a column are known and one run. Rule T2.
 * @param {readonly Seen[]} column
 */
export function runLength(column) {
  if (!column.at(-1)) return 0;
  let length = 1;
  for (let i = column.length - 1; i > 0; i -= 1, length += 1) {
    const [tail, card] = [column[i - 1], column[i]];
    if (!tail || !card || !restsOn(card, tail)) break;
  }
  return length;
}

/**
 * @param {Table} table
 * @param {Pile} source
 * @returns {readonly Seen[]}
 */
function cardsThatPlay(table, source) {
  if (isColumn(source)) return columnOf(table, source);
  if (source === "waste" || source === "reserve") return table[source].slice(-1);
  if (!isFoundation(source)) return [];
  const top = foundationTop(table, source);
  return top ? [top] : [];
}

/** @param {Card[]} cards */
function isRun(cards) {
  return cards.every((card, i) => i === 0 || restsOn(card, cards[i - 1]));
}

/**
 * @param {Pile} source
 * @param {number} count
 * @param {number} held
 * @returns {Refusal}
 */
function tooFew(source, count, held) {
  if (source === "waste") return { rule: "S1", reason: "wasteEmpty" };
  if (source === "reserve") return { rule: "R1", reason: "reserveEmpty" };
  if (isFoundation(source)) return { rule: "B1", reason: "foundationEmpty", suit: source };
  if (!held) return { rule: "T2", reason: "columnEmpty", column: source };
  return { rule: "T2", reason: "tooFew", column: source, count };
}

/**
 * @param {Table} table
 * @param {Card} card
 * @returns {Refusal | null}
 */
function whyNotUp(table, card) {
  const next = nextUp(table, suitOf(card));
  if (card === next) return null;
  const started = table.foundations[suitOf(card)] > 0;
  return { rule: "F1", reason: started ? "notNext" : "cannotStart", card, next: next ?? undefined };
}

/**
 * @param {Table} table
 * @param {Pile} source
 * @param {number} count
 * @returns {Refusal | null}
 */
function whyNotWhole(table, source, count) {
  if (table.ruleset !== "CH1" || !isColumn(source)) return null;
  if (count === columnOf(table, source).length) return null;
  return { rule: "T2", reason: "onlyWhole", column: source };
}

/**
 * @param {Table} table
 * @param {Pile} source
 * @param {import("./table.js").Column} column
 * @param {Card} card
 * @returns {Refusal | null}
 */
function whyNotOnColumn(table, source, column, card) {
  const tail = columnOf(table, column).at(-1);
  if (tail === undefined) {
    const wasteOnly = table.ruleset === "CH1" && source !== "waste";
    return wasteOnly ? { rule: "R3", reason: "onlyWaste", column } : null;
  }
  if (tail === null) return { rule: "unknown", reason: "unknown" };
  return restsOn(card, tail) ? null : { rule: "T1", reason: "notOn", card, tail, column };
}

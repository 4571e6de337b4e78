/** Where everything lies: the place of every card shown and the box of every pile, in pixels. */

import { ALL_SUITS, cardAbove } from "../rules/cards.js";
import { isColumn, isFoundation } from "../rules/move_text.js";
import { COLUMNS, columnOf } from "../rules/table.js";
import { FAN, fit, PEEK, WASTE_FAN } from "./fit.js";

/**
 * @typedef {import("../rules/table.js").Pile} Pile
 * @typedef {import("../rules/table.js").Seen} Seen
 * @typedef {import("../rules/table.js").Table} Table
 * @typedef {import("./fit.js").Size} Size
 * @typedef {import("./fit.js").Fit} Fit
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 *
 * A card's place: `index` counts from the pile's oldest card, in the stock from its last one;
 * `strip` is how much of its height stays free of the card above it, in card widths; a `covered`
 * card is not to be seen at all.
 * @typedef {{card: Seen, pile: Pile, index: number, x: number, y: number, z: number,
 *   faceUp: boolean, strip: number, covered: boolean}} Place
 *
 * @typedef {{fit: Fit, places: Place[], piles: Record<Pile, Box>}} Layout
 */

/** All piles in the order in which they are read and stepped through. */
export const PILES = /** @type {readonly Pile[]} */ (
  Object.freeze(["stock", "waste", "reserve", ...ALL_SUITS, ...COLUMNS])
);

/** How many cards of a pile are drawn, the top ones; columns show all. */
const SHOWN = { stock: 2, waste: 6, reserve: 4, foundation: 2 };
const FANNED_WASTE = 3;

/**
 * Lays a table out in a box.
 * @param {Table} table
 * @param {Size} box
 * @returns {Layout}
 */
export function layOut(table, box) {
  const fitted = fit(box);
  const places = PILES.flatMap((pile) => placesOf(table, pile, fitted, box));
  const piles = Object.fromEntries(
    PILES.map((pile) => [
      pile,
      boxOf(
        places.filter((place) => place.pile === pile),
        pile,
        fitted,
      ),
    ]),
  );
  return { fit: fitted, places, piles: /** @type {Record<Pile, Box>} */ (piles) };
}

/**
 * The corner in which a pile's first card lies.
 * @param {Fit} fitted
 * @param {Pile} pile
 */
export function cornerOf({ arrangement, card, left, top }, pile) {
  const { x, y } = arrangement.spots[pile];
  return { x: left + Math.round(x * card.width), y: top + Math.round(y * card.width) };
}

/**
 * The cards of a pile, the top one last; those of the stock and below the reserve's top as well.
 * @param {Table} table
 * @param {Pile} pile
 * @returns {readonly Seen[]}
 */
export function cardsOf(table, pile) {
  if (isColumn(pile)) return columnOf(table, pile);
  if (pile === "stock") return table.stock.toReversed();
  if (!isFoundation(pile)) return table[pile];
  return Array.from({ length: table.foundations[pile] }, (_, i) => cardAbove(table.base, i, pile));
}

/**
 * @param {Table} table
 * @param {Pile} pile
 * @param {Fit} fitted
 * @param {Size} box
 * @returns {Place[]}
 */
function placesOf(table, pile, fitted, box) {
  const cards = cardsOf(table, pile);
  const shown = isColumn(pile) ? cards.length : SHOWN[isFoundation(pile) ? "foundation" : pile];
  const first = Math.max(0, cards.length - shown);
  const corner = cornerOf(fitted, pile);
  const stepOf = steps(pile, cards.length, fitted, box);
  return cards.slice(first).map((card, i) => {
    const index = first + i;
    const isTop = index === cards.length - 1;
    const [here, next] = [stepOf(index), stepOf(index + 1)];
    return {
      card,
      pile,
      index,
      x: corner.x + here.x,
      y: corner.y + here.y,
      z: i + 1,
      faceUp: card !== null && pile !== "stock" && (pile !== "reserve" || isTop),
      strip: isColumn(pile) && cards.length > 1 ? stepOf(1).y / fitted.card.width : 1,
      covered: !isTop && here.x === next.x && here.y === next.y,
    };
  });
}

/**
 * How far each card of a pile lies from the pile's corner.
 * @param {Pile} pile
 * @param {number} count
 * @param {Fit} fitted
 * @param {Size} box
 * @returns {(index: number) => {x: number, y: number}}
 */
function steps(pile, count, fitted, box) {
  const { width, height } = fitted.card;
  if (isColumn(pile)) {
    const room = box.height - cornerOf(fitted, pile).y - height - Math.round(width * 0.1);
    const fan = Math.min(FAN * width, room / Math.max(1, count - 1));
    return (index) => ({ x: 0, y: Math.round(index * fan) });
  }
  if (pile === "waste") {
    const { wasteFan } = fitted.arrangement;
    const fan = Math.round(WASTE_FAN[wasteFan] * width);
    const offset = Math.max(0, count - FANNED_WASTE);
    return (index) => {
      const way = Math.max(0, index - offset) * fan;
      return wasteFan === "down" ? { x: 0, y: way } : { x: way, y: 0 };
    };
  }
  if (pile === "reserve") {
    const peek = Math.max(2, (PEEK * width) / (SHOWN.reserve - 1));
    return (index) => ({ x: 0, y: -Math.round((count - 1 - index) * peek) });
  }
  return () => ({ x: 0, y: 0 });
}

/**
 * The box around a pile's cards; around the place for one where there is none.
 * @param {Place[]} places
 * @param {Pile} pile
 * @param {Fit} fitted
 * @returns {Box}
 */
function boxOf(places, pile, fitted) {
  const all = [cornerOf(fitted, pile), ...places];
  const x = Math.min(...all.map((place) => place.x));
  const y = Math.min(...all.map((place) => place.y));
  const right = Math.max(...all.map((place) => place.x)) + fitted.card.width;
  const bottom = Math.max(...all.map((place) => place.y)) + fitted.card.height;
  return { x, y, width: right - x, height: bottom - y };
}

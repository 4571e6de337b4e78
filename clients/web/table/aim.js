/** What lies where: the card under a finger, the pile a dropped card is meant for, the next pile. */

import { isColumn } from "../rules/move_text.js";
import { cardsOf, PILES } from "./layout.js";

/**
 * @typedef {import("../rules/table.js").Pile} Pile
 * @typedef {import("../rules/table.js").Table} Table
 * @typedef {import("../rules/targets.js").Source} Source
 * @typedef {import("./layout.js").Box} Box
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {{x: number, y: number}} Point
 *
 * What was hit: a card by its index in the pile, -1 where the pile is empty.
 * @typedef {{pile: Pile, index: number}} Hit
 * @typedef {"up" | "down" | "left" | "right"} Direction
 */

/** How far beside a card a finger may land. */
const SLOP_PX = 4;

/**
 * Finds the card, or the place of an empty pile, at a point; null on the felt.
 * @param {Layout} layout
 * @param {Point} point
 * @returns {Hit | null}
 */
export function hitAt({ fit, places, piles }, point) {
  const pile = PILES.find((name) => distance(piles[name], point) <= SLOP_PX);
  if (!pile) return null;
  const inPile = places.filter((place) => place.pile === pile);
  const hit = inPile.findLast(({ x, y }) => distance({ x, y, ...fit.card }, point) <= SLOP_PX);
  return { pile, index: (hit ?? inPile.at(-1))?.index ?? -1 };
}

/**
 * Says which cards a hit takes along: from a column the one hit and those on it, else the top.
 * @param {Table} table
 * @param {Hit} hit
 * @returns {Source}
 */
export function sourceOf(table, { pile, index }) {
  const count = isColumn(pile) && index >= 0 ? cardsOf(table, pile).length - index : 1;
  return { pile, count };
}

/** How far the middle of a card may be from the pile it lies on, in card widths. */
const REACH = 0.55;

/**
 * Chooses among piles the one nearest to where the middle of a card is let go; null if it lies on
 * none of them.
 * @param {Layout} layout
 * @param {Point} middle
 * @param {readonly Pile[]} piles
 * @returns {Pile | null}
 */
export function nearestPile({ fit, piles: boxes }, middle, piles) {
  let [nearest, least] = [/** @type {Pile | null} */ (null), fit.card.width * REACH];
  for (const pile of piles) {
    const away = distance(boxes[pile], middle);
    if (away < least) [nearest, least] = [pile, away];
  }
  return nearest;
}

/**
 * Finds the pile beside another one; the same where there is none.
 * @param {Layout} layout
 * @param {Pile} pile
 * @param {Direction} direction
 * @returns {Pile}
 */
export function neighbour({ piles }, pile, direction) {
  const from = piles[pile];
  const sideways = direction === "left" || direction === "right";
  const sign = direction === "left" || direction === "up" ? -1 : 1;
  let [nearest, least] = [pile, Infinity];
  for (const other of PILES) {
    const { ahead, aside } = way(from, piles[other], sideways, sign);
    const cost = ahead + 3 * aside;
    if (other !== pile && ahead > 0 && cost < least) [nearest, least] = [other, cost];
  }
  return nearest;
}

/**
 * How far a box lies ahead of another one, and how far aside of the way there.
 * @param {Box} from
 * @param {Box} to
 * @param {boolean} sideways
 * @param {number} sign
 */
function way(from, to, sideways, sign) {
  const [across, along] = [to.x - from.x, to.y - from.y];
  const side = sideways
    ? gapBetween(from.y, from.height, to.y, to.height)
    : gapBetween(from.x, from.width, to.x, to.width);
  return sideways
    ? { ahead: sign * across, aside: side + Math.abs(along) / 50 }
    : { ahead: sign * along, aside: side + Math.abs(across) / 50 };
}

/**
 * @param {number} a
 * @param {number} aLength
 * @param {number} b
 * @param {number} bLength
 */
function gapBetween(a, aLength, b, bLength) {
  return Math.max(0, b - a - aLength, a - b - bLength);
}

/**
 * How far a point is from a box, 0 inside.
 * @param {Box} box
 * @param {Point} point
 */
function distance({ x, y, width, height }, point) {
  const across = Math.max(x - point.x, 0, point.x - x - width);
  const along = Math.max(y - point.y, 0, point.y - y - height);
  return Math.hypot(across, along);
}

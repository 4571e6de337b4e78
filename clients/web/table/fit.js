/** Which arrangement of the piles suits a box, and how large its cards may be: measures only. */

import { ALL_SUITS } from "../rules/cards.js";
import { COLUMNS } from "../rules/table.js";

/**
 * @typedef {import("../rules/table.js").Pile} Pile
 * @typedef {{width: number, height: number}} Size
 * @typedef {{x: number, y: number}} Spot
 * @typedef {"tall" | "wide" | "low"} Name
 *
 * An arrangement in card widths: where each pile's first card lies, how the waste is fanned, and
 * what room it all takes when the longest column usual is there.
 * @typedef {{name: Name, spots: Record<Pile, Spot>, wasteFan: "down" | "right"} & Size} Arrangement
 *
 * An arrangement as it lies in a box, in pixels.
 * @typedef {{arrangement: Arrangement, card: Size, left: number, top: number}} Fit
 */

/** How high a card is for its width. */
export const ASPECT = 1.4;
/** How far the cards of a column lie apart, at most. */
export const FAN = 0.43;
/** How far the cards of the waste lie apart where they are fanned downwards or to the right. */
export const WASTE_FAN = Object.freeze({ down: 0.42, right: 0.6 });
/** How far the backs below the reserve's top look out, all together. */
export const PEEK = 0.15;

const LONG_COLUMN = 18;
const CARD_MAX_PX = 180;
/** How much larger cards have to be for an arrangement to be chosen before a better one. */
const WORTH_IT = 1.2;

/** How far they lie apart at least, so that corners stay readable: large cards need less. */
const TIGHT_FAN = { small: 0.2, large: 0.16 };
const WASTE_LENGTH = 1 + 2 * WASTE_FAN.right;
const PILL = 0.34;

/** In the order of liking. */
const ARRANGEMENTS = Object.freeze([wide(), tall(), low()]);

/**
 * Chooses the arrangement for a box: the best one unless another has much larger cards.
 * @param {Size} box
 * @returns {Fit}
 */
export function fit(box) {
  const widths = ARRANGEMENTS.map((arrangement) => cardWidth(arrangement, box));
  let chosen = 0;
  widths.forEach((width, i) => {
    if (width >= widths[chosen] * WORTH_IT) chosen = i;
  });
  const [arrangement, width] = [ARRANGEMENTS[chosen], widths[chosen]];
  const spare = box.height - arrangement.height * width;
  return {
    arrangement,
    card: { width, height: Math.round(width * ASPECT) },
    left: Math.max(0, Math.round((box.width - arrangement.width * width) / 2)),
    top: Math.round(Math.min(width / 4, Math.max(0, spare / 6))),
  };
}

/**
 * @param {Arrangement} arrangement
 * @param {Size} box
 */
function cardWidth({ width, height }, box) {
  const room = Math.min(box.width / width, box.height / height, CARD_MAX_PX);
  return Math.max(1, Math.floor(room));
}

/**
 * The phone's: five columns of cards, the first with reserve, stock and waste.
 * @returns {Arrangement}
 */
function tall() {
  const [gap, edge] = [0.09, 0.1];
  const row = edge + PEEK;
  const stock = row + ASPECT + PILL;
  const below = row + ASPECT + 0.2;
  const x = (/** @type {number} */ i) => edge + i * (1 + gap);
  return {
    name: "tall",
    spots: {
      reserve: { x: edge, y: row },
      stock: { x: edge, y: stock },
      waste: { x: edge, y: stock + ASPECT + PILL },
      ...spread(ALL_SUITS, (i) => ({ x: x(i + 1), y: row })),
      ...spread(COLUMNS, (i) => ({ x: x(i + 1), y: below })),
    },
    wasteFan: "down",
    width: 5 + 4 * gap + 2 * edge,
    height: below + longColumn(TIGHT_FAN.small) + edge,
  };
}

/**
 * The desk's: stock, waste and foundations above, reserve and columns below.
 * @returns {Arrangement}
 */
function wide() {
  const [gap, edge] = [0.14, 0.16];
  const below = edge + ASPECT + 0.36;
  const right = edge + 1 + gap + WASTE_LENGTH + 2 * gap;
  const x = (/** @type {number} */ i) => right + i * (1 + gap);
  return {
    name: "wide",
    spots: {
      stock: { x: edge, y: edge },
      waste: { x: edge + 1 + gap, y: edge },
      reserve: { x: edge, y: below },
      ...spread(ALL_SUITS, (i) => ({ x: x(i), y: edge })),
      ...spread(COLUMNS, (i) => ({ x: x(i), y: below })),
    },
    wasteFan: "right",
    width: right + 4 + 3 * gap + edge,
    height: below + longColumn(TIGHT_FAN.large) + edge,
  };
}

/**
 * For a phone on its side: columns of the full height between the other piles.
 * @returns {Arrangement}
 */
function low() {
  const [gap, edge] = [0.1, 0.12];
  const first = edge + PEEK;
  const second = first + ASPECT + PILL;
  const middle = edge + 2 * (1 + gap) + gap;
  const right = middle + 4 * (1 + gap) + gap;
  return {
    name: "low",
    spots: {
      stock: { x: edge, y: first },
      waste: { x: edge + 1 + gap, y: first },
      reserve: { x: edge, y: second },
      ...spread(COLUMNS, (i) => ({ x: middle + i * (1 + gap), y: edge })),
      ...spread(ALL_SUITS, (i) => ({ x: right + (i % 2) * (1 + gap), y: i < 2 ? first : second })),
    },
    wasteFan: "down",
    width: right + 2 + gap + edge,
    height: edge + longColumn(TIGHT_FAN.small) + edge,
  };
}

/**
 * How high the longest column usual is.
 * @param {number} fan
 */
function longColumn(fan) {
  return ASPECT + (LONG_COLUMN - 1) * fan;
}

/**
 * @template {string} Name
 * @param {readonly Name[]} names
 * @param {(i: number) => Spot} spotOf
 */
function spread(names, spotOf) {
  return /** @type {Record<Name, Spot>} */ (
    Object.fromEntries(names.map((name, i) => [name, spotOf(i)]))
  );
}

/** Cards drawn by us: every line of them is a path here, sharp at any size. */

import { s } from "../parts/dom.js";
import { suitOf } from "../rules/cards.js";
import { cardLetter } from "../words/cards.js";

/**
 * @typedef {import("../rules/cards.js").Card} Card
 * @typedef {import("../rules/cards.js").Suit} Suit
 */

/** The suits, each in a square of 100. */
const SUIT_PATHS = {
  C: "M50 5a22 22 0 0 1 17 36a22.5 22.5 0 1 1-12 32c1 10 5 17 12 22H33c7-5 11-12 12-22a22.5 22.5 0 1 1-12-32A22 22 0 0 1 50 5Z",
  D: "M50 3C60 21 73 37 89 50C73 63 60 79 50 97C40 79 27 63 11 50C27 37 40 21 50 3Z",
  H: "M50 93C18 66 6 50 6 32C6 17 16 8 29 8C39 8 46 13 50 23C54 13 61 8 71 8C84 8 94 17 94 32C94 50 82 66 50 93Z",
  S: "M50 4C58 23 93 37 93 62C93 76 84 84 73 84C65 84 58 80 54 73C55 84 59 91 67 96H33C41 91 45 84 46 73C42 80 35 84 27 84C16 84 7 76 7 62C7 37 42 23 50 4Z",
};

/** What courts wear above their suit, in a box of 100 by 50. */
const COURT_PATHS = {
  J: "M18 46H82V38C82 26 74 18 62 17C70 12 80 10 92 12C84 2 68 0 56 8C50 12 46 15 40 17C26 19 18 27 18 38Z",
  Q: "M20 46H80L88 16L69 29L60 6L50 27L40 6L31 29L12 16Z",
  K: "M16 46H84L92 10L70 28L54 12V8H58V3H54V-1H46V3H42V8H46V12L30 28L8 10Z",
};

/** The frame of the back, between its edges. */
const BACK = { left: 7, right: 93, top: 7, bottom: 133, step: 14 };

/**
 * Draws a suit.
 * @param {Suit} suit
 * @param {{x?: number, y?: number, size?: number, class?: string}} [options]
 * @returns {SVGPathElement}
 */
export function drawSuit(suit, { x = 0, y = 0, size = 100, class: name } = {}) {
  const transform = `translate(${x} ${y}) scale(${size / 100})`;
  return s("path", { d: SUIT_PATHS[suit], transform, class: name, data: { suit } });
}

/**
 * Draws a card's face, without the paper below it.
 * @param {Card} card
 * @param {{base?: boolean}} [options]  base: its rank is the one that starts foundations
 * @returns {SVGSVGElement}
 */
export function drawFace(card, { base = false } = {}) {
  const suit = suitOf(card);
  const letter = cardLetter(card[0]);
  const court = COURT_PATHS[/** @type {"J" | "Q" | "K"} */ (card[0])];
  return s(
    "svg",
    { viewBox: "0 0 100 140", class: "face", data: { suit } },
    s(
      "g",
      { class: "index" },
      s(
        "text",
        {
          x: 7,
          y: 37,
          ...(letter.length > 1 && { textLength: 36, lengthAdjust: "spacingAndGlyphs" }),
        },
        letter,
      ),
      drawSuit(suit, { x: letter.length > 1 ? 48 : 40, y: 11, size: 26 }),
    ),
    base && s("path", { class: "base-mark", d: "M100 0V30L70 0Z" }),
    court
      ? [
          s("path", { class: "court", d: court, transform: "translate(22 54) scale(0.56)" }),
          drawSuit(suit, { x: 26, y: 84, size: 48 }),
        ]
      : drawSuit(suit, { x: 20, y: 60, size: 60 }),
  );
}

/**
 * Draws a card's back: a lattice, and the four suits in its middle.
 * @returns {SVGSVGElement}
 */
export function drawBack() {
  const { left, right, top, bottom } = BACK;
  return s(
    "svg",
    { viewBox: "0 0 100 140", class: "back" },
    s("rect", { x: left, y: top, width: right - left, height: bottom - top, rx: 6 }),
    s("path", { class: "lattice", d: lattice() }),
    s("path", { class: "medal", d: "M50 38L80 70L50 102L20 70Z" }),
    drawSuit("S", { x: 42, y: 47, size: 16 }),
    drawSuit("H", { x: 28, y: 62, size: 16 }),
    drawSuit("D", { x: 56, y: 62, size: 16 }),
    drawSuit("C", { x: 42, y: 77, size: 16 }),
  );
}

/** Lines in both diagonals from edge to edge of the back's frame. */
function lattice() {
  const { left, right, top, bottom, step } = BACK;
  let path = "";
  for (let sum = left + top + step; sum < right + bottom; sum += step) {
    const [from, to] = [Math.max(left, sum - bottom), Math.min(right, sum - top)];
    path += `M${from} ${sum - from}L${to} ${sum - to}`;
    path += `M${100 - from} ${sum - from}L${100 - to} ${sum - to}`;
  }
  return path;
}

/**
 * Draws what a place without cards shows: what starts it.
 * @param {Suit} suit
 * @param {string} base  the rank that starts foundations
 * @returns {SVGSVGElement}
 */
export function drawGhost(suit, base) {
  return s(
    "svg",
    { viewBox: "0 0 100 140", class: "ghost" },
    s("text", { x: 50, y: 46, "text-anchor": "middle" }, cardLetter(base)),
    drawSuit(suit, { x: 27, y: 64, size: 46 }),
  );
}

/**
 * Draws the sign for turning the waste over.
 * @returns {SVGSVGElement}
 */
export function drawTurnOver() {
  const arrow = "M72 52A30 30 0 1 0 80 74M58 52H74V36";
  return s("svg", { viewBox: "0 0 100 140", class: "sign" }, s("path", { d: arrow }));
}

/**
 * Draws the sign for a stock with nothing left.
 * @returns {SVGSVGElement}
 */
export function drawNothing() {
  return s(
    "svg",
    { viewBox: "0 0 100 140", class: "sign" },
    s("path", { d: "M34 54L66 86M66 54L34 86" }),
  );
}

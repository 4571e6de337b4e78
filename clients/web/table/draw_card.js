/** Cards drawn by us: every line of them is a path here, sharp at any size. */

import { s } from "../parts/dom.js";
import { suitOf } from "../rules/cards.js";
import { cardLetter } from "../words/cards.js";
import { drawLetters } from "./glyphs.js";

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

/** The crowns of the courts, the lowest first, in a box of 100 by 60. */
const CROWNS = {
  J: "M20 40H80V54H20ZM30 24a7 7 0 1 1-.1 0ZM50 18a8 8 0 1 1-.1 0ZM70 24a7 7 0 1 1-.1 0Z",
  Q: "M22 54H78L90 22L70 36L64 14L50 32L36 14L30 36L10 22ZM10 8a6 6 0 1 1-.1 0ZM36 0a6 6 0 1 1-.1 0ZM64 0a6 6 0 1 1-.1 0ZM90 8a6 6 0 1 1-.1 0Z",
  K: "M18 54H82L94 14L72 32L56 14V8H62V2H56V-4H44V2H38V8H44V14L28 32L6 14Z",
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
  const crown = CROWNS[/** @type {keyof typeof CROWNS} */ (card[0])];
  const pip = crown
    ? [
        s("path", { class: "crown", d: crown, transform: "translate(24 52) scale(0.52)" }),
        drawSuit(suit, { x: 25, y: 83, size: 50 }),
      ]
    : drawSuit(suit, { x: 19, y: 62, size: 62 });
  return s(
    "svg",
    { viewBox: "0 0 100 140", class: "face", data: { suit } },
    drawIndex(card[0], suit),
    base && s("path", { class: "base-mark", d: "M76 0H92V25L84 18L76 25Z" }),
    pip,
  );
}

/**
 * @param {string} rank
 * @param {Suit} suit
 */
function drawIndex(rank, suit) {
  const letters = drawLetters(cardLetter(rank), { x: 9, y: 10, height: 28 });
  const mark = drawSuit(suit, { x: 9 + letters.width + 6, y: 10, size: 28 });
  return s("g", { class: "index" }, letters.element, mark);
}

/**
 * Draws a card's back: a lattice, and the four suits in its middle.
 * @returns {SVGSVGElement}
 */
export function drawBack() {
  return s(
    "svg",
    { viewBox: "0 0 100 140", class: "back" },
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
  const text = cardLetter(base);
  const { width } = drawLetters(text, { x: 0, y: 0, height: 30 });
  const letters = drawLetters(text, { x: 50 - width / 2, y: 22, height: 30 });
  return s(
    "svg",
    { viewBox: "0 0 100 140", class: "ghost" },
    letters.element,
    drawSuit(suit, { x: 27, y: 66, size: 46 }),
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

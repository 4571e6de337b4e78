/** A fan of cards, for its looks only. */

import { s } from "../parts/dom.js";
import { drawFace } from "../table/draw_card.js";

const CARDS = ["JC", "QD", "KS", "AH"];
const SPREAD = 15;
const SIZE = { x: -50, y: -230, width: 100, height: 140 };

/**
 * Draws the fan; each card turns around a point below it, as in a hand.
 * @returns {SVGSVGElement}
 */
export function fan() {
  const middle = (CARDS.length - 1) / 2;
  return s(
    "svg",
    { class: "fan", viewBox: "-140 -240 280 190", "aria-hidden": "true" },
    CARDS.map((card, place) =>
      s(
        "g",
        { transform: `rotate(${(place - middle) * SPREAD})` },
        s("rect", { ...SIZE, rx: 8 }),
        s("svg", SIZE, drawFace(card)),
      ),
    ),
  );
}

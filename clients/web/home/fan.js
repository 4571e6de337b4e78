/** A fan of cards, for its looks only. */

import { s } from "../parts/dom.js";

const CARDS = [
  { turn: -24, pip: "♠", rank: "A" },
  { turn: -8, pip: "♥", rank: "K" },
  { turn: 8, pip: "♣", rank: "Q" },
  { turn: 24, pip: "♦", rank: "J" },
];

/**
 * Draws the fan.
 * @returns {SVGSVGElement}
 */
export function fan() {
  return s(
    "svg",
    { class: "fan", viewBox: "-110 -150 220 190", "aria-hidden": "true" },
    CARDS.map(({ turn, pip, rank }) =>
      s(
        "g",
        { transform: `rotate(${turn} 0 90)`, class: "♥♦".includes(pip) ? "red" : "black" },
        s("rect", { x: -42, y: -140, width: 84, height: 120, rx: 8 }),
        s("text", { x: -34, y: -114, class: "fan-rank" }, rank),
        s("text", { x: -34, y: -94, class: "fan-small" }, pip),
        s("text", { x: 0, y: -62, class: "fan-pip" }, pip),
      ),
    ),
  );
}

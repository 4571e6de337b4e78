/** The piles one sees and reaches by keys: a place on the felt and a real button for each. */

import { h, replaceChildren } from "../parts/dom.js";
import { ALL_SUITS } from "../rules/cards.js";
import { isFoundation } from "../rules/move_text.js";
import { drawGhost, drawNothing, drawTurnOver } from "./draw_card.js";
import { cardsOf, cornerOf, PILES } from "./layout.js";
import { pileText } from "./words.js";

/**
 * @typedef {import("../rules/table.js").Pile} Pile
 * @typedef {import("../rules/table.js").Table} Table
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {{element: HTMLElement, button: HTMLButtonElement, count: HTMLElement, sign: string}} View
 */

/** Makes the piles: `slots` lie below the cards, `buttons` above them. */
export function createPiles() {
  const views = Object.fromEntries(PILES.map((pile) => [pile, makeView(pile)]));
  const all = PILES.map((pile) => views[pile]);

  return {
    slots: h(
      "div",
      { class: "slots", "aria-hidden": "true" },
      all.map(({ element }) => element),
    ),
    buttons: h(
      "div",
      { class: "piles" },
      all.map(({ button }) => button),
    ),
    /**
     * Shows the piles of a table where a layout has them.
     * @param {Table} table
     * @param {Layout} layout
     */
    update(table, layout) {
      for (const pile of PILES) show(views[pile], pile, table, layout);
    },
    /**
     * Draws all signs anew: letters are others now.
     */
    redraw() {
      for (const view of all) view.sign = "";
    },
    /**
     * Marks the pile that Tab leads to, and the one picked up.
     * @param {{focus: Pile, held: {pile: Pile} | null}} hand
     */
    mark({ focus, held }) {
      for (const pile of PILES) {
        const { button } = views[pile];
        button.tabIndex = pile === focus ? 0 : -1;
        if (held?.pile === pile) button.setAttribute("aria-pressed", "true");
        else button.removeAttribute("aria-pressed");
      }
    },
    /**
     * Lights the piles where something may be put, one of them as the one aimed at.
     * @param {readonly Pile[]} targets
     * @param {Pile | null} aim
     */
    light(targets, aim) {
      for (const pile of PILES) {
        const { dataset } = views[pile].button;
        if (pile === aim) dataset.target = "aim";
        else if (targets.includes(pile)) dataset.target = "lit";
        else delete dataset.target;
      }
    },
    /** @param {Pile} pile */
    focus(pile) {
      views[pile].button.focus({ preventScroll: true });
    },
    /**
     * Gives the pile that an element belongs to, null if it is none's.
     * @param {EventTarget | null} target
     * @returns {Pile | null}
     */
    pileOf(target) {
      return PILES.find((pile) => views[pile].button === target) ?? null;
    },
  };
}

/**
 * @param {Pile} pile
 * @returns {View}
 */
function makeView(pile) {
  const count = h("span", { class: "count" });
  return {
    element: h("div", { class: "slot", data: { pile } }),
    button: h("button", { type: "button", class: "pile", data: { pile } }, count),
    count,
    sign: "",
  };
}

/**
 * @param {View} view
 * @param {Pile} pile
 * @param {Table} table
 * @param {Layout} layout
 */
function show(view, pile, table, layout) {
  const { element, button, count } = view;
  const corner = cornerOf(layout.fit, pile);
  const box = layout.piles[pile];
  const counted = pile === "stock" || pile === "reserve" ? cardsOf(table, pile).length : 0;
  place(element, { ...corner, ...layout.fit.card });
  place(button, box);
  button.setAttribute("aria-label", pileText(table, pile));
  count.textContent = counted ? String(counted) : "";
  const sign = signOf(pile, table);
  if (sign !== view.sign) replaceChildren(element, drawSign(sign));
  view.sign = sign;
}

/**
 * What an empty pile's place shows.
 * @param {Pile} pile
 * @param {Table} table
 */
function signOf(pile, { base, stock, waste }) {
  if (isFoundation(pile)) return base + pile;
  if (pile !== "stock" || stock.length) return "none";
  return waste.length ? "turn" : "done";
}

/** @param {string} sign */
function drawSign(sign) {
  if (sign === "turn") return drawTurnOver();
  if (sign === "done") return drawNothing();
  const suit = ALL_SUITS.find((one) => one === sign[1]);
  return suit && sign.length === 2 ? drawGhost(suit, sign[0]) : null;
}

/**
 * @param {HTMLElement} element
 * @param {import("./layout.js").Box} box
 */
function place({ style }, { x, y, width, height }) {
  style.setProperty("--x", `${x}px`);
  style.setProperty("--y", `${y}px`);
  style.setProperty("--width", `${width}px`);
  style.setProperty("--height", `${height}px`);
}

/** The cards one sees: elements that stay with their card, so that moves can be watched. */

import { h } from "../parts/dom.js";
import { drawBack, drawFace } from "./draw_card.js";
import { matchPlaces, originOf } from "./identity.js";
import { cornerOf } from "./layout.js";

/**
 * @typedef {import("../rules/table.js").Pile} Pile
 * @typedef {import("../rules/table.js").Table} Table
 * @typedef {import("../rules/targets.js").Source} Source
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./layout.js").Place} Place
 * @typedef {{element: HTMLElement, place: Place, drawn: string}} View
 */

const TURN_MS = 220;
const STAGGER_MS = 28;
/** From which height of its visible strip on a card's corner is drawn in full size, in widths. */
const FULL_STRIP = 0.41;

/**
 * Makes the layer of cards.
 */
export function createCards() {
  const element = h("div", { class: "cards", "aria-hidden": "true" });
  /** @type {View[]} */
  let views = [];
  /** @type {Table | null} */
  let shown = null;

  for (const event of ["transitionend", "transitioncancel"]) {
    element.addEventListener(event, ({ target }) => lower(/** @type {HTMLElement} */ (target)));
  }

  /**
   * Shows a table's cards where a layout has them.
   * @param {Table} table
   * @param {Layout} layout
   * @param {{moves: boolean, pending: boolean}} how
   */
  function update(table, layout, { moves, pending }) {
    element.classList.toggle("still", !moves);
    const matches = matchPlaces(
      views.map(({ place }) => place),
      layout.places,
    );
    const kept = new Set(matches);
    for (const [i, view] of views.entries()) if (!kept.has(i)) view.element.remove();
    const next = layout.places.map((place, i) =>
      matches[i] < 0 ? made(startOf(shown, table, place, layout)) : views[matches[i]],
    );
    if (moves && matches.includes(-1)) element.getBoundingClientRect(); // new ones start from there
    const waits = staggered(matches, moves);
    next.forEach((view, i) => {
      move(view, layout.places[i], { wait: waits[i], moves, pending, base: table.base });
    });
    views = next;
    shown = table;
  }

  /** @param {Place} start */
  function made(start) {
    const sheet = h("div", { class: "sheet" });
    const view = { element: h("div", { class: "card" }, sheet), place: start, drawn: "" };
    put(view.element, start);
    view.element.dataset.face = "down";
    element.append(view.element);
    return view;
  }

  return {
    element,
    update,
    /**
     * Draws all faces anew: letters or colours are others now.
     */
    redraw() {
      for (const view of views) view.drawn = "";
    },
    /**
     * Gives the elements of the cards that a source takes along.
     * @param {Source} source
     */
    of({ pile, count }) {
      return views
        .filter(({ place }) => place.pile === pile)
        .slice(-count)
        .map((view) => view.element);
    },
  };
}

/**
 * How long each card waits before it moves: new ones come one after the other.
 * @param {readonly number[]} matches
 * @param {boolean} moves
 */
function staggered(matches, moves) {
  let order = 0;
  return matches.map((match) => {
    if (!moves || match >= 0) return 0;
    order += 1;
    return order * STAGGER_MS;
  });
}

/**
 * Brings a card to its place, turned as it lies there.
 * @param {View} view
 * @param {Place} place
 * @param {{wait: number, moves: boolean, pending: boolean, base: string}} how
 */
function move(view, place, { wait, moves, pending, base }) {
  const { element, place: before } = view;
  const { dataset, style, classList } = element;
  const side = place.faceUp ? "up" : "down";
  const turned = moves && dataset.face !== side;
  style.setProperty("--wait", `${wait}ms`);
  if (moves && (before.x !== place.x || before.y !== place.y)) raise(element);
  if (!pending) classList.remove("unsure");
  else if (before.pile !== place.pile) classList.add("unsure");
  classList.remove("held");
  classList.toggle("covered", place.covered);
  put(element, place);
  dataset.face = side;
  dataset.pile = place.pile;
  draw(view, place, { turned, base });
  if (turned && place.faceUp) turn(element, wait);
  view.place = place;
}

/**
 * Keeps a card above others while it is on its way.
 * @param {HTMLElement} element
 */
export function raise(element) {
  element.classList.add("moving");
  requestAnimationFrame(() => lower(element));
}

/**
 * Lays a card among the others unless it is still on its way.
 * @param {HTMLElement} element
 */
function lower(element) {
  if (!element.getAnimations().length) element.classList.remove("moving");
}

/**
 * Draws the sides of a card that are going to be seen.
 * @param {View} view
 * @param {Place} place
 * @param {{turned: boolean, base: string}} how
 */
function draw(view, { card, faceUp }, { turned, base }) {
  const sheet = /** @type {Element} */ (view.element.firstElementChild);
  if ((turned || !faceUp) && !sheet.querySelector(".back")) sheet.append(drawBack());
  if (!faceUp || !card || view.drawn === card) return;
  sheet.querySelector(".face")?.remove();
  sheet.prepend(drawFace(card, { base: card[0] === base }));
  view.drawn = card;
}

/**
 * Where a card that was not shown before comes from, face down.
 * @param {Table | null} before
 * @param {Table} table
 * @param {Place} place
 * @param {Layout} layout
 * @returns {Place}
 */
function startOf(before, table, place, layout) {
  const origin = originOf(before, table, place.pile);
  return origin ? { ...place, ...cornerOf(layout.fit, origin), pile: origin } : place;
}

/**
 * @param {HTMLElement} element
 * @param {Place} place
 */
function put({ style }, { x, y, z, strip }) {
  style.setProperty("--x", `${x}px`);
  style.setProperty("--y", `${y}px`);
  style.setProperty("--z", `${z}`);
  style.setProperty("--index", `${Math.min(1, strip / FULL_STRIP)}`);
}

/**
 * Turns a card over to its face.
 * @param {HTMLElement} element
 * @param {number} delay
 */
function turn(element, delay) {
  const how = { duration: TURN_MS, delay, fill: /** @type {FillMode} */ ("backwards") };
  const sheet = /** @type {HTMLElement} */ (element.firstElementChild);
  const [seen, unseen] = [{ visibility: "visible" }, { visibility: "hidden" }];
  const half = { easing: "steps(1, jump-start)" };
  sheet.animate([{ scale: "1 1" }, { scale: "0 1" }, { scale: "1 1" }], how);
  sheet.querySelector(".back")?.animate([seen, { ...seen, offset: 0.5, ...half }, unseen], how);
  sheet.querySelector(".face")?.animate([unseen, { ...unseen, offset: 0.5, ...half }, seen], how);
}

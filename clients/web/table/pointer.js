/** Fingers, mouse and pen on the table: taps send, drags carry. */

import { hitAt } from "./aim.js";
import { follow, IDLE } from "./gesture.js";

/**
 * @typedef {import("./aim.js").Hit} Hit
 * @typedef {import("./gesture.js").Gesture} Gesture
 * @typedef {import("./gesture.js").Touch} Touch
 * @typedef {import("./layout.js").Layout} Layout
 *
 * What the table does about it. `lift` says whether those cards can be carried at all.
 * @typedef {{layout: () => Layout | null, tap: (hit: Hit) => void, lift: (hit: Hit) => boolean,
 *   carry: (dx: number, dy: number) => void, drop: (dx: number, dy: number) => void,
 *   back: () => void}} Hands
 */

const SLOP_PX = { mouse: 4, pen: 6, touch: 9 };

/**
 * Listens to pointers on an element; gives what stops that, and what calls a drag off.
 * @param {HTMLElement} element
 * @param {Hands} hands
 */
export function listenToPointers(element, hands) {
  /** @type {Gesture} */
  let gesture = IDLE;
  const listening = new AbortController();

  /** @param {Touch} touch */
  function take(touch) {
    const { gesture: next, ...meaning } = follow(gesture, touch);
    gesture = next;
    if (meaning.does === "tap") hands.tap(meaning.hit);
    else if (meaning.does === "lift" && !hands.lift(meaning.hit)) gesture = IDLE;
    else if (meaning.does === "lift" || meaning.does === "carry")
      hands.carry(meaning.dx, meaning.dy);
    else if (meaning.does === "drop") hands.drop(meaning.dx, meaning.dy);
    else if (meaning.does === "back") hands.back();
  }

  /** @param {PointerEvent} event */
  function down(event) {
    const layout = hands.layout();
    if (event.button > 0 || !layout) return;
    const { left, top } = element.getBoundingClientRect();
    const hit = hitAt(layout, { x: event.clientX - left, y: event.clientY - top });
    if (hit) element.setPointerCapture(event.pointerId);
    take({ type: "down", ...at(event), hit, slop: slopOf(event, hit, layout) });
  }

  const options = { signal: listening.signal };
  element.addEventListener("pointerdown", down, options);
  element.addEventListener("pointermove", (event) => take({ type: "move", ...at(event) }), options);
  element.addEventListener("pointerup", (event) => take({ type: "up", ...at(event) }), options);
  element.addEventListener("pointercancel", () => take({ type: "cancel" }), options);
  element.addEventListener("contextmenu", (event) => event.preventDefault(), options);
  return {
    close: () => listening.abort(),
    /** Calls off what is under way; says whether anything was. */
    cancel() {
      const busy = gesture.phase !== "idle";
      take({ type: "cancel" });
      return busy;
    },
  };
}

/** @param {PointerEvent} event */
function at({ pointerId, clientX, clientY }) {
  return { id: pointerId, x: clientX, y: clientY };
}

/**
 * How far a pointer may tremble; further on the stock, whose cards nobody carries.
 * @param {PointerEvent} event
 * @param {Hit | null} hit
 * @param {Layout} layout
 */
function slopOf({ pointerType }, hit, { fit }) {
  if (hit?.pile === "stock") return fit.card.width / 2;
  return SLOP_PX[/** @type {keyof typeof SLOP_PX} */ (pointerType)] ?? SLOP_PX.touch;
}

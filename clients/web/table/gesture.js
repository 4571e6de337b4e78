/** What fingers, mouse and pen mean: a tap, or a drag that starts, goes on, ends or is called off. */

/**
 * @typedef {import("./aim.js").Hit} Hit
 * @typedef {{phase: "idle"}
 *   | {phase: "pressed" | "dragging", id: number, x: number, y: number, hit: Hit, slop: number}} Gesture
 *
 * What a pointer does. `hit` is what lies under it as it goes down, `slop` how many pixels it may
 * tremble before that is a drag.
 * @typedef {{type: "down", id: number, x: number, y: number, hit: Hit | null, slop: number}
 *   | {type: "move" | "up", id: number, x: number, y: number}
 *   | {type: "cancel"}} Touch
 *
 * @typedef {{does: "nothing" | "back"} | {does: "press" | "tap", hit: Hit}
 *   | {does: "lift" | "carry" | "drop", hit: Hit, dx: number, dy: number}} Meaning
 */

/** @type {Gesture} */
export const IDLE = Object.freeze({ phase: "idle" });

/**
 * Takes the next thing a pointer does.
 * @param {Gesture} gesture
 * @param {Touch} touch
 * @returns {{gesture: Gesture} & Meaning}
 */
export function follow(gesture, touch) {
  if (touch.type === "cancel") return calledOff(gesture);
  if (touch.type === "down") return gesture.phase === "idle" ? pressed(touch) : calledOff(gesture);
  if (gesture.phase === "idle" || touch.id !== gesture.id) return { gesture, does: "nothing" };
  const { hit } = gesture;
  const [dx, dy] = [touch.x - gesture.x, touch.y - gesture.y];
  if (touch.type === "up") {
    const drop = gesture.phase === "dragging";
    return { gesture: IDLE, ...(drop ? { does: "drop", hit, dx, dy } : { does: "tap", hit }) };
  }
  if (gesture.phase === "dragging") return { gesture, does: "carry", hit, dx, dy };
  if (Math.hypot(dx, dy) < gesture.slop) return { gesture, does: "nothing" };
  return { gesture: { ...gesture, phase: "dragging" }, does: "lift", hit, dx, dy };
}

/**
 * @param {Extract<Touch, {type: "down"}>} touch
 * @returns {{gesture: Gesture} & Meaning}
 */
function pressed({ id, x, y, hit, slop }) {
  if (!hit) return { gesture: IDLE, does: "nothing" };
  return { gesture: { phase: "pressed", id, x, y, hit, slop }, does: "press", hit };
}

/**
 * @param {Gesture} gesture
 * @returns {{gesture: Gesture} & Meaning}
 */
function calledOff(gesture) {
  return { gesture: IDLE, does: gesture.phase === "idle" ? "nothing" : "back" };
}

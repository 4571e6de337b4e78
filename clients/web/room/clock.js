/** The own clock and the room's, as they go on between two frames. */

import { tick } from "../parts/clock_view.js";
import { h } from "../parts/dom.js";
import { say } from "../parts/toast.js";
import { leftMs } from "../state/race.js";
import { clockText, t } from "../words/words.js";

const WARN_MS = [300_000, 60_000, 10_000];

/**
 * Makes a clock that counts down to the own end of the race.
 * @param {() => import("../state/race.js").Race} race
 * @returns {{element: HTMLElement, close: () => void}}
 */
export function raceClock(race) {
  const text = h("span", { class: "pace" });
  const element = h(
    "div",
    { class: "number-box clock", role: "timer" },
    h("span", { class: "label" }, t("room.timeLeft")),
    text,
  );
  let last = Infinity;
  const close = tick(() => {
    const left = leftMs(race(), performance.now());
    if (left === null) return;
    text.textContent = clockText(Math.ceil(left / 1000) * 1000);
    element.classList.toggle("late", left < WARN_MS[1]);
    const due = WARN_MS.find((at) => left <= at && last > at && last !== Infinity);
    if (due && left > 0) say(t("room.timeWarning", { time: clockText(due) }));
    last = left;
  });
  return { element, close };
}

/**
 * Makes the large number that counts down to the start.
 * @param {() => number | null} untilMs
 * @returns {{element: HTMLElement, close: () => void}}
 */
export function countdown(untilMs) {
  const element = h("p", { class: "countdown", "aria-hidden": "true" });
  let told = -1;
  const close = tick(() => {
    const until = untilMs();
    element.hidden = until === null;
    if (until === null) return;
    const seconds = Math.max(0, Math.ceil(until / 1000));
    element.textContent = String(seconds);
    if (seconds !== told && seconds > 0 && (seconds <= 3 || told < 0))
      say(String(seconds), { urgent: true });
    told = seconds;
  });
  return { element, close };
}

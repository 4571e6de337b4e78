/** Short messages that come and go, and words for screen readers. */

import { isKey, t } from "../words/words.js";

/** @typedef {import("../wire/calls.js").Problem} Problem */
import { h } from "./dom.js";

const SHOWN_MS = 5000;
const MOST = 3; // more would hide what they speak of: the oldest goes

/**
 * Shows a message for some seconds.
 * @param {string} text
 * @param {{kind?: "info" | "error"}} [options]
 */
export function toast(text, { kind = "info" } = {}) {
  const message = h("div", { class: `toast ${kind}` }, text);
  const toasts = document.getElementById("toasts");
  const same = toasts?.lastElementChild?.textContent === text;
  if (same || toasts?.childElementCount === MOST) {
    (same ? toasts.lastElementChild : toasts.firstElementChild)?.remove();
  }
  toasts?.append(message);
  setTimeout(() => message.remove(), SHOWN_MS);
}

/**
 * Tells a screen reader something.
 * @param {string} text
 * @param {{urgent?: boolean}} [options]  urgent words interrupt others
 */
export function say(text, { urgent = false } = {}) {
  const region = document.getElementById(urgent ? "urgent" : "polite");
  if (!region) return;
  region.append(h("p", {}, text)); // a new node: the same words twice are read twice
  while (region.childElementCount > 8) region.firstElementChild?.remove();
}

/**
 * Puts a problem into words of the reader's language, where there are some.
 * @param {unknown} problem  what the wire has thrown
 * @returns {string}
 */
export function problemText(problem) {
  const { code = "", detail = "", pointer } = /** @type {Partial<Problem>} */ (problem);
  if (code === "invalid" && pointer === "/name") return t("name.bad");
  const key = `problem.${code}`;
  return isKey(key) ? t(key) : detail || t("app.failed");
}

/**
 * Shows what went wrong; what is no problem of the wire's is a fault of ours and thrown on.
 * @param {unknown} problem
 */
export function sayProblem(problem) {
  if (!(problem instanceof Error && "code" in problem)) throw problem;
  toast(problemText(problem), { kind: "error" });
}

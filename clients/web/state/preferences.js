/** How this browser's player likes the page; kept in the browser, the same in all its tabs. */

import { keep } from "./keeping.js";
import { createListeners } from "./listeners.js";

/** Every preference with its default; "" is what the browser or the language says. */
export const DEFAULTS = Object.freeze({
  language: "",
  theme: /** @type {"" | "light" | "dark"} */ (""),
  fourColours: false,
  animations: true,
  tapToColumn: true,
  letters: /** @type {"" | "international"} */ (""),
});

/**
 * @typedef {typeof DEFAULTS} Preferences
 * @typedef {keyof Preferences} Name
 */

/**
 * Gives preferences that are kept at one place.
 * @param {{kept: import("./keeping.js").Kept, wantsLessMotion: () => boolean}} browser
 */
export function createPreferences({ kept, wantsLessMotion }) {
  /** @type {ReturnType<typeof createListeners<[]>>} */
  const listeners = createListeners();
  let chosen = readChosen(kept.read());
  kept.onOtherTab(() => {
    chosen = readChosen(kept.read());
    listeners.tell();
  });
  return {
    /**
     * @template {Name} N
     * @param {N} name
     * @returns {Preferences[N]}
     */
    get: (name) => chosen[name],
    /**
     * @template {Name} N
     * @param {N} name
     * @param {Preferences[N]} value
     */
    set(name, value) {
      chosen = { ...chosen, [name]: value };
      kept.write(chosen);
      listeners.tell();
    },
    /** Whether things may move: not where the system was asked for less motion. */
    moves: () => chosen.animations && !wantsLessMotion(),
    /** Tells a listener of every change; gives what stops that. */
    onChange: listeners.on,
  };
}

/**
 * @param {unknown} value  as it was kept, maybe by another version of the page
 * @returns {Preferences}
 */
function readChosen(value) {
  const kept = /** @type {Record<string, unknown>} */ (value ?? {});
  const known = Object.entries(DEFAULTS).map(([name, normal]) => {
    const fits = typeof kept[name] === typeof normal;
    return [name, fits ? kept[name] : normal];
  });
  return Object.fromEntries(known);
}

/** The preferences of this browser. */
export const preferences = createPreferences({
  kept: keep("canfield.preferences"),
  wantsLessMotion: () =>
    globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false,
});

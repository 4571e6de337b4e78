/** Words in the reader's language, with numbers, dates and durations as that language writes them. */

import { preferences } from "../state/preferences.js";
import { en } from "./en.js";

/**
 * @typedef {keyof typeof en} Key
 * @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Entry
 * @typedef {Record<string, string | number>} Values
 */

/** The languages, each by its own name. */
export const LANGUAGES = Object.freeze({
  en: "English",
  vi: "Tiếng Việt",
  hr: "Hrvatski",
  sv: "Svenska",
});

/** @typedef {keyof typeof LANGUAGES} Language */

/** @type {Record<string, () => Promise<Record<string, Entry>>>} */
const OTHERS = {
  vi: async () => (await import("./vi.js")).vi,
  hr: async () => (await import("./hr.js")).hr,
  sv: async () => (await import("./sv.js")).sv,
};

/** @type {Record<string, Entry>} */
let words = en;
/** @type {Language} */
let spoken = "en";

/**
 * Gives the language that the page speaks.
 * @returns {Language}
 */
export function language() {
  return spoken;
}

/**
 * Chooses a language: the one asked for, else the browser's first that we speak, else English.
 * @param {string} wanted  one of LANGUAGES, or ""
 * @param {readonly string[]} browsers  languages of the browser, the best first
 * @returns {Language}
 */
export function chooseLanguage(wanted, browsers) {
  const known = [wanted, ...browsers]
    .map((tag) => tag.toLowerCase().split("-")[0])
    .find((tag) => Object.hasOwn(LANGUAGES, tag));
  return /** @type {Language} */ (known ?? "en");
}

/** Loads the words of the language that is preferred, and speaks it from then on. */
export async function loadLanguage() {
  const chosen = chooseLanguage(preferences.get("language"), navigator.languages);
  words = chosen === "en" ? en : await OTHERS[chosen]();
  spoken = chosen;
  document.documentElement.lang = chosen;
}

/**
 * Gives a text in the reader's language.
 * @param {Key} key
 * @param {Values} [values]  what stands for `{name}`; `n` chooses among plural forms
 * @returns {string}
 */
export function t(key, values = {}) {
  return fill(words[key] ?? en[key], values, spoken);
}

/**
 * Says whether there are words under a key that is made at run time, such as `problem.<code>`.
 * @param {string} key
 * @returns {key is Key}
 */
export function isKey(key) {
  return Object.hasOwn(en, key);
}

/**
 * Fills an entry with values.
 * @param {Entry} entry
 * @param {Values} values
 * @param {string} tag  the language's
 * @returns {string}
 */
export function fill(entry, values, tag) {
  const text =
    typeof entry === "string"
      ? entry
      : (entry[new Intl.PluralRules(tag).select(Number(values.n))] ?? entry.other ?? "");
  return text.replace(/\{(\w+)\}/g, (hole, name) => {
    const value = values[name];
    if (value === undefined) return hole;
    return typeof value === "number" ? new Intl.NumberFormat(tag).format(value) : value;
  });
}

/**
 * Writes a number.
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 * @returns {string}
 */
export function number(value, options) {
  return new Intl.NumberFormat(spoken, options).format(value);
}

/**
 * Writes an instant or a day.
 * @param {string} iso  an instant, or a day as `YYYY-MM-DD`, which is one in UTC
 * @param {"day" | "moment" | "time"} [style]
 * @returns {string}
 */
export function dateText(iso, style = "day") {
  /** @type {Record<string, Intl.DateTimeFormatOptions>} */
  const styles = {
    day: { dateStyle: "long" },
    moment: { dateStyle: "medium", timeStyle: "short" },
    time: { timeStyle: "short" },
  };
  const zone = iso.length === 10 ? { timeZone: "UTC" } : {};
  return new Intl.DateTimeFormat(tagOf(spoken), { ...styles[style], ...zone }).format(
    new Date(iso),
  );
}

/**
 * Gives the browser's own tag of a language, en-GB, where it has one: days are written as there.
 * @param {Language} chosen
 */
function tagOf(chosen) {
  return navigator.languages.find((tag) => tag.split("-")[0] === chosen) ?? chosen;
}

/**
 * Writes a duration as a clock shows it: `4:05`, `1:02:05`.
 * @param {number} ms
 * @returns {string}
 */
export function clockText(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

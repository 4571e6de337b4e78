/** Leaderboards in words: their names, their values, their periods. */

import { clockText, dateText, isKey, language, number, t } from "../words/words.js";
import { addDays, startOf } from "./choice.js";

/**
 * @typedef {import("../wire/types.js").Board} Board
 * @typedef {import("./choice.js").Chosen} Chosen
 */

/**
 * Names a board; one that we do not know yet, as the server does.
 * @param {Board} board
 */
export function boardTitle({ board, title }) {
  const key = `boards.title.${board}`;
  return isKey(key) ? t(key) : title;
}

/**
 * Says what a board lists.
 * @param {Board} board
 */
export function boardText({ board, description }) {
  const key = `boards.text.${board}`;
  return isKey(key) ? t(key) : description;
}

/**
 * Writes a value of a board.
 * @param {Board["unit"]} unit
 * @param {number} value
 * @returns {string}
 */
export function valueText(unit, value) {
  if (unit === "ms") return exactClock(value);
  if (unit === "points")
    return number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  if (unit === "dollars") {
    return number(value, {
      style: "currency",
      currency: "USD",
      currencyDisplay: "narrowSymbol",
      maximumFractionDigits: 0,
    });
  }
  if (unit === "days") return t("boards.days", { n: value });
  return number(value);
}

/**
 * Writes a duration to the tenth of a second, as winners want it.
 * @param {number} ms
 */
export function exactClock(ms) {
  const tenth = (Math.floor(ms / 100) % 10) / 10;
  return clockText(ms) + number(tenth, { minimumFractionDigits: 1 }).slice(1);
}

/**
 * Names the period of a choice.
 * @param {Chosen} chosen
 * @returns {string}
 */
export function periodText({ period, at }) {
  if (period === "all") return t("boards.period.all");
  if (period === "day") return dateText(at);
  const start = startOf(period, at);
  if (period === "week") {
    const days = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeZone: "UTC" });
    return days.formatRange(new Date(start), new Date(addDays(start, 6)));
  }
  const month = new Intl.DateTimeFormat(language(), {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return month.format(new Date(start));
}

/** Which list of a leaderboard is shown: read from the path, written to it, and moved in time. */

/**
 * @typedef {import("../wire/types.js").Board} Board
 * @typedef {import("../wire/types.js").Period} Period
 * @typedef {import("../wire/types.js").Variant} Variant
 *
 * @typedef {object} Chosen
 * @property {Board} board
 * @property {Period} period
 * @property {string} at  a day of the period, `YYYY-MM-DD`
 * @property {Variant} variant
 * @property {"human" | "bot"} kind
 */

/** @type {readonly Period[]} */
export const PERIODS = ["day", "week", "month", "all"];

const DAY_MS = 86_400_000;
const FIRST_DAY = "1970-01-01";

/**
 * Reads what a path asks for; what cannot be is as usual.
 * @param {Board} board
 * @param {URLSearchParams} query
 * @param {string} today
 * @returns {Chosen}
 */
export function readChosen(board, query, today) {
  const period = PERIODS.find((one) => one === query.get("period")) ?? "all";
  const at = query.get("at") ?? "";
  const variant = board.variants.find(
    ({ ruleset, draw }) =>
      ruleset === query.get("ruleset") && String(draw) === (query.get("draw") ?? "3"),
  );
  return {
    board,
    period,
    at: isDay(at) && at >= FIRST_DAY && at <= today ? at : today,
    variant: variant ?? board.variants[0],
    kind: query.get("kind") === "bot" ? "bot" : "human",
  };
}

/**
 * Writes the query of a choice; what is usual is left out.
 * @param {Chosen} chosen
 * @param {string} today
 * @returns {URLSearchParams}
 */
export function queryOf({ board, period, at, variant, kind }, today) {
  const query = new URLSearchParams();
  if (period !== "all") query.set("period", period);
  if (period !== "all" && startOf(period, at) !== startOf(period, today)) query.set("at", at);
  if (variant !== board.variants[0]) {
    query.set("ruleset", variant.ruleset);
    query.set("draw", String(variant.draw));
  }
  if (kind === "bot") query.set("kind", kind);
  return query;
}

/**
 * Gives the first day of the period that a day is in; weeks begin on Monday.
 * @param {Period} period
 * @param {string} day
 * @returns {string}
 */
export function startOf(period, day) {
  if (period === "all") return FIRST_DAY;
  if (period === "month") return `${day.slice(0, 8)}01`;
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  return period === "week" ? addDays(day, -weekday) : day;
}

/**
 * Gives the first day of the period before, or of the one after.
 * @param {Period} period
 * @param {string} day
 * @param {-1 | 1} by
 * @returns {string}
 */
export function neighbour(period, day, by) {
  const start = startOf(period, day);
  if (period === "all") return start;
  if (by === -1) return startOf(period, addDays(start, -1));
  return startOf(period, addDays(start, { day: 1, week: 7, month: 31 }[period]));
}

/**
 * Gives the day that is so many days after another.
 * @param {string} day
 * @param {number} days
 */
export function addDays(day, days) {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** @param {string} text */
function isDay(text) {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text
  );
}

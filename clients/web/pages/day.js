/** The daily of one day: how it stands or ended, and how it could be won: `/daily/{date}`. */

import { filmView } from "../film/film_view.js";
import { curvesView } from "../parts/curves_view.js";
import { h } from "../parts/dom.js";
import { pagedStandings } from "../parts/paged_standings.js";
import { proofView } from "../parts/proof_view.js";
import { account } from "../state/account.js";
import { api, serverTime } from "../state/api.js";
import { replay } from "../state/replay.js";
import { dateText, t } from "../words/words.js";

/**
 * @typedef {import("../wire/types.js").Daily} Daily
 * @typedef {import("../wire/types.js").Deal} Deal
 */

const DAY_MS = 24 * 60 * 60 * 1000;
const CURVES = 12;

/**
 * Opens a day.
 * @param {import("../parts/navigation.js").Params} params
 * @returns {Promise<import("../parts/navigation.js").Page>}
 */
export async function open({ date }) {
  const title = t("day.title", { date: isDay(date) ? dateText(date) : date });
  const daily = isDay(date) ? await dailyOf(date) : null;
  if (!daily) return dayPage(title, date, [h("p", {}, t("day.none"))]);
  if (daily.state === "open") return dayPage(title, date, [h("p", {}, plannedText(daily))]);
  if (daily.state !== "finished") return dayPage(title, date, running(daily));
  return finishedPage(title, daily);
}

/** @param {string} text */
function isDay(text) {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/**
 * @param {string} date
 * @returns {Promise<Daily | null>} null where there is none
 */
async function dailyOf(date) {
  try {
    return await api.get(`/daily/${date}`);
  } catch (problem) {
    if (/** @type {{code?: string}} */ (problem).code === "not_found") return null;
    throw problem;
  }
}

/**
 * @param {string} title
 * @param {string} date
 * @param {import("../parts/dom.js").Child[]} parts
 * @returns {import("../parts/navigation.js").Page & {element: HTMLElement}}
 */
function dayPage(title, date, parts) {
  const element = h("div", { class: "page day" }, h("h1", {}, title), otherDays(date), parts);
  return { title, element };
}

/** @param {string} date */
function otherDays(date) {
  if (!isDay(date)) return null;
  const link = (/** @type {number} */ days, /** @type {string} */ text) =>
    h("a", { class: "button quiet", href: `/daily/${dayFrom(date, days)}` }, text);
  return h(
    "nav",
    { class: "day-nav", "aria-label": t("day.days") },
    link(-1, `← ${t("day.previous")}`),
    date < today() && link(1, `${t("day.next")} →`),
  );
}

function today() {
  return new Date(serverTime()).toISOString().slice(0, 10);
}

/**
 * @param {string} date
 * @param {number} days
 */
function dayFrom(date, days) {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** @param {Daily} daily */
function plannedText({ date }) {
  return t("day.planned", { time: dateText(`${date}T00:00:00Z`, "moment") });
}

/** @param {Daily} daily */
function running(daily) {
  const joinable = Date.parse(daily.closes_at) > serverTime();
  const values = { n: daily.player_count, time: dateText(daily.closes_at, "moment") };
  return [
    h("p", {}, joinable ? t("day.running", values) : t("day.ending")),
    joinable && h("p", {}, h("a", { class: "button primary", href: "/daily" }, t("day.play"))),
    ...standingsAndCurves(daily, t("results.standings")),
  ];
}

/**
 * @param {Daily} daily
 * @param {string} title
 */
function standingsAndCurves(daily, title) {
  const me = account.player?.id;
  return [
    h(
      "section",
      { class: "panel" },
      h(
        "div",
        { class: "row spread" },
        h("h2", {}, title),
        h("span", { class: "muted small" }, t("room.players", { n: daily.player_count })),
      ),
      pagedStandings(daily, { caption: title, me }),
    ),
    curvesView(daily, { me, limit: CURVES }),
  ];
}

/**
 * @param {string} title
 * @param {Daily} daily
 * @returns {Promise<import("../parts/navigation.js").Page>}
 */
async function finishedPage(title, daily) {
  const { date, code, nonce, commitment, winning_line: line, player_count: n } = daily;
  if (!code || !nonce) throw new Error("a daily that has finished shows its deal");
  const film = line && filmView(await filmOf(code, line), { label: t("day.line") });
  const page = dayPage(title, date, [
    h("p", {}, t("day.finished", { n })),
    standingsAndCurves(daily, t("results.final")),
    film &&
      line && [
        h("div", {}, h("h2", {}, t("day.line")), h("p", {}, t("day.lineText", { n: line.length }))),
        film.element,
      ],
    proofView({ code, nonce, commitment }),
  ]);
  return { ...page, close: film?.close };
}

/**
 * @param {string} code
 * @param {string[]} moves
 */
async function filmOf(code, moves) {
  /** @type {Deal} */
  const deal = await api.get(`/deals/${code}`);
  return replay(deal, { moves, times_ms: [] });
}

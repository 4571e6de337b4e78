/** The standings of a room page by page, with one's own row always among them. */

import { api } from "../state/api.js";
import { t } from "../words/words.js";
import { h, s } from "./dom.js";
import { standingsTable } from "./standings_view.js";
import { sayProblem } from "./toast.js";

/**
 * @typedef {import("../wire/types.js").Room} Room
 * @typedef {import("../wire/types.js").Standing} Standing
 * @typedef {Standing & {game?: string}} Row  with the game's id, once it may be watched
 * @typedef {{rows: Row[], next: string | null}} Page
 */

const PAGE = 50;

/**
 * Makes a table that loads its first page at once and another whenever it is asked to.
 * @param {Room} room
 * @param {{caption: string, me?: string}} options  me: the id of who looks on
 * @returns {HTMLElement}
 */
export function pagedStandings(room, { caption, me }) {
  const load = room.state === "finished" ? loadGames : loadStandings;
  const table = standingsTable({
    caption,
    last: room.state === "finished" ? watchLink : undefined,
  });
  const empty = h("p", { class: "muted", hidden: true }, t("results.empty"));
  const more = h(
    "button",
    { class: "button", hidden: true, on: { click: next } },
    t("results.more"),
  );
  /** @type {Row[]} */
  const rows = [];
  /** @type {Row | null} */
  let mine = null;
  /** @type {string | null} */
  let after = null;

  function show() {
    const missing = mine !== null && !rows.some(({ player }) => player.id === me);
    table.show(missing && mine ? [...rows, mine] : rows, me);
    empty.hidden = rows.length > 0;
    table.element.hidden = rows.length === 0;
    more.hidden = after === null;
  }

  async function next() {
    more.disabled = true;
    try {
      const page = await load(room, after);
      rows.push(...page.rows);
      after = page.next;
      show();
    } catch (problem) {
      sayProblem(problem);
      more.hidden = false;
    }
    more.disabled = false;
  }

  async function begin() {
    await next();
    if (!me || after === null) return;
    mine = await ownRow(room, me);
    if (mine) show();
  }

  begin();
  return h("div", { class: "stack" }, table.element, empty, more);
}

/**
 * @param {Room} room
 * @param {string | null} after
 * @returns {Promise<Page>}
 */
async function loadStandings({ id }, after) {
  const { items, next } = await api.get(`/rooms/${id}/standings?${pageQuery(after)}`);
  return { rows: items, next };
}

/**
 * @param {Room} room
 * @param {string | null} after
 * @returns {Promise<Page>}
 */
async function loadGames({ id }, after) {
  const { items, next } = await api.get(`/rooms/${id}/games?${pageQuery(after)}`);
  /** @type {import("../wire/types.js").GameSummary[]} */
  const games = items;
  return { rows: games.map(({ id: game, result }) => ({ ...result, game })), next };
}

/** @param {string | null} after */
function pageQuery(after) {
  return new URLSearchParams({ limit: String(PAGE), ...(after === null ? {} : { after }) });
}

/**
 * Finds one's own row, and the game among the latest ones; null for who has not played.
 * @param {Room} room
 * @param {string} me
 * @returns {Promise<Row | null>}
 */
async function ownRow({ id, state }, me) {
  try {
    const { items } = await api.get(`/rooms/${id}/standings?around=me&limit=1`);
    const { recent_games: recent } = await api.get(`/players/${me}`);
    const game = recent.find((/** @type {{room: string}} */ { room }) => room === id)?.id;
    return { ...items[0], game: state === "finished" ? game : undefined };
  } catch (problem) {
    if (/** @type {{code?: string}} */ (problem).code !== "not_a_player") sayProblem(problem);
    return null;
  }
}

/** @param {Row} row */
function watchLink({ game, player }) {
  if (!game) return null;
  const name = player.name || t("room.nameless");
  return h(
    "a",
    { class: "watch", href: `/games/${game}`, "aria-label": t("results.watchGame", { name }) },
    s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: "M7 4v16l13-8z" })),
    h("span", {}, t("results.watch")),
  );
}

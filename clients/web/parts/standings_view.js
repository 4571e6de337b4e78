/** The standings as a table that lives: rows keep their place until they overtake. */

import { preferences } from "../state/preferences.js";
import { clockText, number, t } from "../words/words.js";
import { h, keyed, replaceChildren } from "./dom.js";

const CARDS = 52;
const GLIDE_MS = 350;

/**
 * @typedef {import("../wire/types.js").Standing & {rank: number}} Ranked
 * @typedef {{element: HTMLElement, show(rows: readonly Ranked[], me?: string): void}} StandingsTable
 */

/**
 * Makes a table of standings.
 * @param {{caption: string, hidden?: boolean, last?: (row: Ranked) => import("./dom.js").Child}} options
 *   hidden: the caption is for screen readers only; last: what stands at the end of a row
 * @returns {StandingsTable}
 */
export function standingsTable({ caption, hidden = true, last }) {
  const body = h("tbody");
  const table = h(
    "table",
    { class: "list standings" },
    h("caption", { class: hidden ? "visually-hidden" : "" }, caption),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col", class: "number" }, h("abbr", { title: t("room.rank") }, "#")),
        h("th", { scope: "col", class: "name" }, t("room.player")),
        h("th", { scope: "col", class: "number" }, t("room.placed")),
        h("th", { scope: "col", class: "number" }, t("room.at")),
        last && h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, t("room.more"))),
      ),
    ),
    body,
  );
  return {
    element: h("div", { class: "standings-box" }, h("div", { class: "standings-scroll" }, table)),
    show(rows, me) {
      const before = placesOf(body);
      keyed(
        body,
        rows,
        ({ player }) => player.id,
        () => h("tr"),
        (line, row) => showRow(line, row, row.player.id === me, last),
      );
      glide(before);
    },
  };
}

/**
 * Gives how a player stands, in a sign and in words.
 * @param {string} state
 * @returns {{sign: string, words: string} | null} null for who simply plays
 */
export function stateSign(state) {
  if (state === "won") return { sign: "★", words: t("room.state.won") };
  if (state === "resigned") return { sign: "⚑", words: t("room.state.resigned") };
  if (state === "out_of_time") return { sign: "◷", words: t("room.state.out_of_time") };
  return null;
}

/**
 * @param {HTMLTableRowElement} line
 * @param {Ranked} row
 * @param {boolean} mine
 * @param {((row: Ranked) => import("./dom.js").Child) | undefined} last
 */
function showRow(line, row, mine, last) {
  const seen = JSON.stringify([row, mine]);
  if (line.dataset.seen === seen) return;
  line.dataset.seen = seen;
  line.classList.toggle("me", mine);
  const sign = stateSign(row.state);
  replaceChildren(
    line,
    h("td", { class: "number" }, number(row.rank)),
    h(
      "td",
      { class: "name placed", vars: { "--share": `${(row.placed / CARDS) * 100}%` } },
      playerLink(row.player),
      sign &&
        h(
          "span",
          { class: `state ${row.state}`, title: sign.words, "aria-hidden": "true" },
          ` ${sign.sign}`,
        ),
      sign && h("span", { class: "visually-hidden" }, `, ${sign.words}`),
    ),
    h("td", { class: "number" }, number(row.placed)),
    h("td", { class: "number" }, clockText(row.at_ms)),
    last && h("td", {}, last(row)),
  );
}

/**
 * Links to a player's page; who has left for good has no name, and no page.
 * @param {import("../wire/types.js").Player} player
 */
export function playerLink({ id, name, kind }) {
  return [
    name
      ? h("a", { class: "player", href: `/players/${id}` }, name)
      : h("span", { class: "player muted" }, t("room.nameless")),
    kind === "bot" && h("span", { class: "chip bot" }, t("room.bot")),
  ];
}

/**
 * @param {HTMLElement} body
 * @returns {Map<Element, number>}
 */
function placesOf(body) {
  if (!preferences.moves()) return new Map();
  return new Map([...body.children].map((row) => [row, row.getBoundingClientRect().top]));
}

/**
 * Lets rows glide from where they were: each hides what it glides over, those on their way up all.
 * @param {Map<Element, number>} before
 */
function glide(before) {
  for (const row of before.keys()) for (const old of row.getAnimations()) old.cancel();
  const ways = [...before].map(([row, top]) => top - row.getBoundingClientRect().top);
  for (const [i, row] of [...before.keys()].entries()) {
    if (!row.isConnected || !ways[i]) continue;
    const over = { backgroundColor: "var(--row)", zIndex: ways[i] > 0 ? 2 : 1 };
    row.animate(
      [
        { ...over, transform: `translateY(${ways[i]}px)` },
        { ...over, transform: "none" },
      ],
      { duration: GLIDE_MS, easing: "ease-out" },
    );
  }
}

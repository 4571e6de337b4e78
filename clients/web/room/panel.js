/** What is beside the table: who stands where, now or at the same time on their clocks. */

import { h, replaceChildren } from "../parts/dom.js";
import { playerLink, standingsTable } from "../parts/standings_view.js";
import { api } from "../state/api.js";
import { rankGhosts } from "../state/ghosts.js";
import { elapsedMs } from "../state/race.js";
import { number, t } from "../words/words.js";

const GHOSTS = 12;
const CURVES = 20;
const CURVES_EVERY_MS = 30_000;

/**
 * @typedef {import("./conductor.js").Conductor} Conductor
 * @typedef {import("./conductor.js").Seen} Seen
 */

/**
 * Makes the panel beside the table.
 * @param {Conductor} conductor
 * @returns {{element: HTMLElement, show(seen: Seen): void, close(): void}}
 */
export function racePanel(conductor) {
  const isDaily = conductor.room.kind === "daily";
  const table = standingsTable({ caption: t("room.standings") });
  const count = h("span", { class: "muted small" });
  const ghosts = isDaily ? ghostList(conductor) : null;
  const element = h(
    "aside",
    { class: "race-panel", id: "race-panel", "aria-label": t("room.standings") },
    ghosts?.element,
    h("div", { class: "row spread" }, h("h2", {}, t("room.standings")), count),
    table.element,
  );
  return {
    element,
    show(seen) {
      table.show(around(seen.standings, seen.mine), seen.me);
      count.textContent = [
        t("room.players", { n: seen.room.player_count }),
        seen.room.spectators > 0 && t("room.spectators", { n: seen.room.spectators }),
      ]
        .filter(Boolean)
        .join(" · ");
    },
    close: () => ghosts?.close(),
  };
}

/**
 * Gives all who are told of, and me wherever I am: of a great daily only the first hundred are.
 * @template {{player: {id: string}}} Row
 * @param {readonly Row[]} rows
 * @param {Row | undefined} mine
 * @returns {readonly Row[]}
 */
export function around(rows, mine) {
  if (!mine || rows.some(({ player }) => player.id === mine.player.id)) return rows;
  return [...rows, mine];
}

/**
 * Makes the list of how others stood at the same time on their own clocks.
 * @param {Conductor} conductor
 */
function ghostList(conductor) {
  const list = h("ol", { class: "ghosts" });
  const element = h(
    "section",
    { class: "ghost-box", "aria-labelledby": "ghosts-title" },
    h("h2", { id: "ghosts-title" }, t("room.ghosts")),
    h("p", { class: "muted small" }, t("room.ghostsText")),
    list,
  );
  /** @type {import("../wire/types.js").Curve[]} */
  let curves = [];
  const load = async () => {
    const around = conductor.seen().mine ? "&around=me" : "";
    const path = `/rooms/${conductor.room.id}/curves?limit=${CURVES}${around}`;
    curves = await api.get(path).catch(() => curves); // the next time then
  };
  const show = () => {
    const { race, mine, me } = conductor.seen();
    const elapsed = elapsedMs(race, performance.now());
    element.hidden = elapsed === null || !mine;
    if (elapsed === null || !mine) return;
    const ranked = rankGhosts(curves, mine, elapsed);
    const own = ranked.find(({ player }) => player.id === me);
    const rows = around(ranked.slice(0, GHOSTS), own);
    replaceChildren(
      list,
      rows.map((row) => ghost(row, me)),
    );
  };
  const loading = setInterval(load, CURVES_EVERY_MS);
  const showing = setInterval(show, 1000);
  load().then(show);
  return {
    element,
    close() {
      clearInterval(loading);
      clearInterval(showing);
    },
  };
}

/**
 * @param {ReturnType<typeof rankGhosts>[number]} row
 * @param {string | undefined} me
 */
function ghost({ player, placed, state }, me) {
  return h(
    "li",
    { class: player.id === me ? "me" : "", vars: { "--share": `${(placed / 52) * 100}%` } },
    h("span", { class: "name" }, playerLink(player), state === "won" && " ★"),
    h("span", { class: "number" }, number(placed)),
  );
}

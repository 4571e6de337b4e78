/** The results of a finished race: who stands where, how it went, and that the deal was fair. */

import { curvesView } from "../parts/curves_view.js";
import { h } from "../parts/dom.js";
import { pagedStandings } from "../parts/paged_standings.js";
import { proofView } from "../parts/proof_view.js";
import { t } from "../words/words.js";

/** @typedef {import("../wire/types.js").Room} Room */

const CURVES_OF_A_DAY = 12; // of all who played, whole cities perhaps

/**
 * Makes what a finished room has to show.
 * @param {Room} room
 * @param {{me?: string}} options  me: the id of who looks on
 * @returns {{element: HTMLElement, close(): void}}
 */
export function resultsView(room, { me }) {
  const { code, nonce, commitment } = room;
  const limit = room.kind === "daily" ? CURVES_OF_A_DAY : undefined;
  const element = h(
    "div",
    { class: "results" },
    h(
      "section",
      { class: "panel" },
      h(
        "div",
        { class: "row spread" },
        h("h2", {}, t("results.final")),
        h("span", { class: "muted small" }, t("room.players", { n: room.player_count })),
      ),
      pagedStandings(room, { caption: t("results.final"), me }),
    ),
    curvesView(room, { me, limit }),
    h(
      "div",
      { class: "film-more" },
      code && nonce && proofView({ code, nonce, commitment }),
      exportPanel(room),
    ),
  );
  return { element, close() {} };
}

/** @param {Room} room */
function exportPanel({ id }) {
  const file = { class: "button", href: `/api/v1/rooms/${id}/export`, download: `${id}.ndjson` };
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, t("results.export")),
    h("p", { class: "muted" }, t("results.exportText")),
    h("div", { class: "row" }, h("a", file, t("results.download"))),
  );
}

/** Asks whether more could have been placed from a move of a finished game, and tells. */

import { h, replaceChildren } from "../parts/dom.js";
import { problemText } from "../parts/toast.js";
import { api } from "../state/api.js";
import { t } from "../words/words.js";

/** @typedef {import("../wire/types.js").Outlook} Outlook */

/**
 * Makes the panel that asks.
 * @param {string} game
 * @param {{ply: () => number, watch: (outlook: Outlook) => void}} options
 *   ply: the move that is looked at; watch: shows the line that was found
 * @returns {HTMLElement}
 */
export function outlookView(game, { ply, watch }) {
  const answer = h("div", { class: "row outlook-answer", role: "status" });
  const ask = h("button", { class: "button", on: { click: search } }, t("replay.ask"));

  async function search() {
    if (ask.getAttribute("aria-disabled") === "true") return;
    ask.setAttribute("aria-disabled", "true");
    replaceChildren(answer, h("p", {}, t("replay.asking")));
    try {
      const outlook = await api.get(`/games/${game}/outlook?ply=${ply()}`);
      replaceChildren(answer, told(outlook, watch));
    } catch (problem) {
      replaceChildren(answer, h("p", {}, refusedText(problem)));
    }
    ask.removeAttribute("aria-disabled");
  }

  return h(
    "section",
    { class: "panel outlook" },
    h("h2", {}, t("replay.outlook")),
    h("p", { class: "muted" }, t("replay.outlookText")),
    h("div", { class: "row" }, ask),
    answer,
  );
}

/**
 * @param {Outlook} outlook
 * @param {(outlook: Outlook) => void} watch
 */
function told(outlook, watch) {
  const { can_rise: canRise, ply: move, line, positions } = outlook;
  const n = canRise === "yes" ? line.length : positions;
  const show = { class: "button", on: { click: () => watch(outlook) } };
  return [
    h("p", {}, t(`replay.${canRise}`, { move, n })),
    canRise === "yes" && h("button", show, t("replay.watchLine")),
  ];
}

/** @param {unknown} problem */
function refusedText(problem) {
  const { code } = /** @type {{code?: string}} */ (problem);
  return code === "not_available" ? t("replay.noSolver") : problemText(problem);
}

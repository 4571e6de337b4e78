/** What is fixed about a race before it begins, and the promise that its deal will not change. */

import { h } from "../parts/dom.js";
import { t } from "../words/words.js";

/**
 * Makes the list of a room's facts.
 * @param {import("../wire/types.js").Room} room
 * @returns {HTMLElement}
 */
export function dealFacts(room) {
  const facts = [
    room.kind !== "daily" && t(room.ranked ? "room.fact.ranked" : "room.fact.unranked"),
    t(room.sealed ? "room.fact.sealed" : "room.fact.open"),
    t(room.undo ? "room.fact.undo" : "room.fact.noUndo"),
  ];
  return h(
    "details",
    { class: "panel facts" },
    h("summary", {}, t("room.facts")),
    h(
      "ul",
      {},
      facts.filter(Boolean).map((fact) => h("li", {}, fact)),
    ),
    room.code && h("p", {}, t("room.code"), " ", h("code", {}, room.code)),
    h("p", { class: "muted small" }, t("room.commitment")),
    h("p", {}, h("code", { class: "hash" }, room.commitment)),
  );
}

/** How a race went: the curves of its players as a chart, with a heading of its own. */

import { api } from "../wire/api.js";
import { t } from "../words/words.js";
import { chart } from "./chart.js";
import { h } from "./dom.js";
import { sayProblem } from "./toast.js";

/** @typedef {import("../wire/types.js").Curve} Curve */

/**
 * Makes the panel of a room's curves; it fills once they have come, and stays away without any.
 * @param {{id: string, time_limit_s: number}} room
 * @param {{me?: string, limit?: number, around?: boolean}} options
 *   around: as many as `limit`, half of them around oneself
 * @returns {HTMLElement}
 */
export function curvesView(room, { me, limit = 100, around = false }) {
  const panel = h("section", { class: "panel", hidden: true }, h("h2", {}, t("results.chart")));
  const show = (/** @type {Curve[]} */ curves) => {
    if (!curves.length) return;
    const lines = curves.map(({ player, points }) => ({
      name: player.name || t("room.nameless"),
      points,
      me: player.id === me,
    }));
    panel.append(chart({ lines, limitMs: room.time_limit_s * 1000 }));
    panel.hidden = false;
  };
  readCurves(room.id, { limit, around }).then(show).catch(sayProblem);
  return panel;
}

/**
 * @param {string} room
 * @param {{limit: number, around: boolean}} wish
 * @returns {Promise<Curve[]>}
 */
async function readCurves(room, { limit, around }) {
  const path = `/rooms/${room}/curves?limit=${limit}`;
  if (!around) return api.get(path);
  try {
    return await api.get(`${path}&around=me`);
  } catch (problem) {
    if (/** @type {{code?: string}} */ (problem).code !== "not_a_player") throw problem;
    return api.get(path);
  }
}

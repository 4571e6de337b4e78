/** How a race went: the curves of its players as a chart, with a heading of its own. */

import { api } from "../state/api.js";
import { t } from "../words/words.js";
import { chart } from "./chart.js";
import { h } from "./dom.js";
import { sayProblem } from "./toast.js";

/** @typedef {import("../wire/types.js").Curve} Curve */

/**
 * Makes the panel of a room's curves; it fills once they have come, and stays away without any.
 * @param {import("../wire/types.js").Room} room
 * @param {{me?: string, limit?: number}} options
 *   me: the id of who looks on; limit: of more players the best are shown, and those around me
 * @returns {HTMLElement}
 */
export function curvesView(room, { me, limit = 100 }) {
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
  readCurves(room, { me, limit }).then(show).catch(sayProblem);
  return panel;
}

/**
 * @param {import("../wire/types.js").Room} room
 * @param {{me?: string, limit: number}} wish
 * @returns {Promise<Curve[]>}
 */
async function readCurves({ id, player_count: players }, { me, limit }) {
  const path = `/rooms/${id}/curves?limit=${limit}`;
  if (!me || players <= limit) return api.get(path);
  try {
    return await api.get(`${path}&around=me`);
  } catch (problem) {
    if (/** @type {{code?: string}} */ (problem).code !== "not_a_player") throw problem;
    return api.get(path);
  }
}

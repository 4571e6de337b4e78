/** Today's daily: joined at once when one comes to play, and then a room like any other. */

import { askName } from "../parts/dialog.js";
import { sayProblem } from "../parts/toast.js";
import { api } from "../state/api.js";
import { roomPage } from "./room.js";

/**
 * Opens the page of `/daily`; with `?join=1` the own clock starts.
 * @param {import("../parts/navigation.js").Params} _params
 * @param {import("../parts/navigation.js").Visit} visit
 * @returns {Promise<import("../parts/navigation.js").Page>}
 */
export async function open(_params, { query }) {
  if (query.has("join") && (await askName())) {
    history.replaceState(null, "", "/daily"); // to come back to this page joins nothing
    try {
      return roomPage(await api.post("/daily/join"));
    } catch (problem) {
      sayProblem(problem);
    }
  }
  return roomPage(await api.get("/daily"));
}

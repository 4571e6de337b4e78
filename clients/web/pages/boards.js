/** The leaderboards: which list of which board is in the path, so that it can be shared. */

import { queryOf, readChosen } from "../boards/choice.js";
import { boardControls } from "../boards/controls.js";
import { boardTable } from "../boards/table.js";
import { boardText, boardTitle } from "../boards/words.js";
import { h } from "../parts/dom.js";
import { textField } from "../parts/fields.js";
import { go } from "../parts/navigation.js";
import { problemText } from "../parts/toast.js";
import { api, Problem, serverTime } from "../state/api.js";
import { t } from "../words/words.js";

const USUAL = "wins";
const ORDER = ["wins", "placed", "fastest", "streak", "rating", "winnings"];

/** @typedef {import("../wire/types.js").Board} Board */

/**
 * Opens the page of `/boards/{board}`.
 * @param {import("../parts/navigation.js").Params} params
 * @param {import("../parts/navigation.js").Visit} visit
 * @returns {Promise<import("../parts/navigation.js").Page>}
 */
export async function open({ board: name = USUAL }, { query, signal }) {
  const boards = /** @type {Board[]} */ (
    (await api.get("/leaderboards?limit=100", { signal })).items
  );
  boards.sort((one, other) => placeOf(one) - placeOf(other));
  const board = boards.find((one) => one.board === name);
  if (!board) throw new Problem({ code: "not_found" });
  const today = new Date(serverTime()).toISOString().slice(0, 10);
  const first = readChosen(board, query, today);
  const table = boardTable();
  const controls = boardControls(first, today, (chosen) => {
    const search = queryOf(chosen, today).toString();
    history.replaceState(null, "", `/boards/${board.board}${search && `?${search}`}`);
    table.load(chosen);
  });
  table.load(first);
  const element = h(
    "div",
    { class: "page" },
    h("h1", {}, t("boards.title")),
    boardTabs(boards, board),
    h(
      "section",
      { class: "panel", "aria-labelledby": "board-title" },
      h("h2", { id: "board-title" }, boardTitle(board)),
      h("p", { class: "muted" }, boardText(board)),
      controls,
      table.element,
    ),
    searchForm(),
  );
  return { title: `${t("boards.title")}: ${boardTitle(board)}`, element, close: table.close };
}

/**
 * Gives a board's place among the tabs; those that we do not know yet come last.
 * @param {Board} board
 */
function placeOf({ board }) {
  const place = ORDER.indexOf(board);
  return place < 0 ? ORDER.length : place;
}

/**
 * @param {Board[]} boards
 * @param {Board} shown
 */
function boardTabs(boards, shown) {
  const links = boards.map((board) =>
    h(
      "a",
      { href: `/boards/${board.board}`, "aria-current": board === shown ? "page" : null },
      boardTitle(board),
    ),
  );
  return h("nav", { class: "tabs", "aria-label": t("boards.title") }, links);
}

/** Makes the search for a player by name. */
function searchForm() {
  const button = h("button", { class: "button" }, t("boards.find"));
  const field = textField({
    id: "player-name",
    label: t("boards.search"),
    after: button,
    input: {
      type: "search",
      required: true,
      autocomplete: "off",
      spellcheck: "false",
    },
  });
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const name = encodeURIComponent(field.input.value.trim());
      const { player } = await api.get(`/players?name=${name}`);
      go(`/players/${player.id}`);
    } catch (problem) {
      const unknown = ["not_found", "invalid"].includes(/** @type {Problem} */ (problem).code);
      field.show(unknown ? t("boards.nobody") : problemText(problem));
      field.input.focus();
    }
    button.disabled = false;
  };
  return h("form", { class: "panel", role: "search", on: { submit } }, field.element);
}

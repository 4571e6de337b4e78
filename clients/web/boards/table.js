/** The table of a leaderboard: page after page, and one's own row always in it. */

import { variantText } from "../parts/deal_words.js";
import { h, replaceChildren } from "../parts/dom.js";
import { playerLink } from "../parts/standings_view.js";
import { problemText } from "../parts/toast.js";
import { account } from "../state/account.js";
import { api } from "../state/api.js";
import { dateText, number, t } from "../words/words.js";
import { boardTitle, valueText } from "./words.js";

const LIMIT = 25;

/**
 * @typedef {import("../wire/types.js").BoardItem} Item
 * @typedef {import("../wire/types.js").BoardPage} BoardPage
 * @typedef {import("./choice.js").Chosen} Chosen
 */

/**
 * Makes the table.
 * @returns {{element: HTMLElement, load(chosen: Chosen): Promise<void>, close(): void}}
 */
export function boardTable() {
  let loading = new AbortController();
  const place = h("div", { class: "scroll-x" });
  const status = h("p", { class: "muted small", role: "status" });
  const more = h("button", { class: "button", hidden: true }, t("boards.more"));
  const element = h(
    "div",
    { class: "stack board-table", "aria-busy": "true" },
    place,
    more,
    status,
  );

  return {
    element,
    async load(chosen) {
      loading.abort();
      loading = new AbortController();
      const { signal } = loading;
      element.setAttribute("aria-busy", "true");
      try {
        const path = pathOf(chosen);
        const [page, mine] = await Promise.all([
          api.get(`${path}&limit=${LIMIT}`, { signal }),
          ownItem(path, signal),
        ]);
        const list = rowsOf(chosen, page, mine);
        replaceChildren(
          place,
          page.items.length ? list.element : h("p", { class: "muted" }, t("boards.empty")),
        );
        status.textContent = t("boards.asOf", { time: dateText(page.as_of, "moment") });
        more.onclick = () => loadMore(path, list, more, signal);
        more.hidden = !page.next;
      } catch (problem) {
        if (signal.aborted) return;
        replaceChildren(place);
        more.hidden = true;
        status.textContent = problemText(problem);
      }
      element.removeAttribute("aria-busy");
    },
    close: () => loading.abort(),
  };
}

/** @param {Chosen} chosen */
function pathOf({ board, period, at, variant, kind }) {
  const query = new URLSearchParams({
    period,
    at,
    kind,
    ruleset: variant.ruleset,
    draw: String(variant.draw),
  });
  return `/leaderboards/${board.board}?${query}`;
}

/**
 * @param {string} path
 * @param {AbortSignal} signal
 * @returns {Promise<Item | undefined>}  nothing for who is not on the list
 */
async function ownItem(path, signal) {
  if (!account.player) return undefined;
  const page = await api.get(`${path}&around=me&limit=1`, { signal }).catch(() => ({ items: [] }));
  return page.items.find((/** @type {Item} */ { player }) => player.id === account.player?.id);
}

/**
 * @param {string} path
 * @param {ReturnType<typeof rowsOf>} list
 * @param {HTMLButtonElement} more
 * @param {AbortSignal} signal
 */
async function loadMore(path, list, more, signal) {
  more.disabled = true;
  more.textContent = t("boards.more");
  try {
    const after = encodeURIComponent(list.next());
    const page = await api.get(`${path}&limit=${LIMIT}&after=${after}`, { signal });
    list.add(page);
    more.hidden = !page.next;
  } catch (problem) {
    if (!signal.aborted) more.textContent = `${problemText(problem)} ${t("app.again")}`;
  }
  more.disabled = false;
}

/**
 * @param {Chosen} chosen
 * @param {BoardPage} first
 * @param {Item | undefined} mine
 */
function rowsOf({ board, variant }, first, mine) {
  let next = "";
  const me = account.player?.id;
  const own = h("tfoot");
  const body = h("tbody");
  const row = (/** @type {Item} */ { rank, player, value, games }) =>
    h(
      "tr",
      { class: player.id === me ? "me" : "" },
      h("td", { class: "number" }, number(rank)),
      h("td", { class: "name" }, playerLink(player)),
      h("td", { class: "number" }, valueText(board.unit, value)),
      h("td", { class: "number" }, number(games)),
    );
  const add = (/** @type {BoardPage} */ page) => {
    body.append(...page.items.map(row));
    next = page.next ?? "";
    const seen = body.querySelector("tr.me") !== null;
    replaceChildren(own, mine && !seen ? row(mine) : null);
  };
  add(first);
  const caption = `${boardTitle(board)}, ${variantText(variant)}`;
  const element = h(
    "table",
    { class: "list board" },
    h("caption", { class: "visually-hidden" }, caption),
    h("thead", {}, headOf(board)),
    body,
    own,
  );
  return { element, add, next: () => next };
}

/** @param {Chosen["board"]} board */
function headOf({ unit }) {
  const column = (/** @type {string} */ text) => h("th", { scope: "col", class: "number" }, text);
  return h(
    "tr",
    {},
    h("th", { scope: "col", class: "number" }, h("abbr", { title: t("boards.rank") }, "#")),
    h("th", { scope: "col", class: "name" }, t("boards.player")),
    column(t(`boards.unit.${unit}`)),
    column(t("boards.games")),
  );
}

/** A finished game to watch, move by move or at speed: `/games/{game}`. */

import { plyFrom } from "../film/film.js";
import { filmView } from "../film/film_view.js";
import { outlookView } from "../film/outlook_view.js";
import { h, replaceChildren } from "../parts/dom.js";
import { proofView } from "../parts/proof_view.js";
import { stateSign } from "../parts/standings_view.js";
import { api } from "../state/api.js";
import { replay } from "../state/replay.js";
import { clockText, dateText, number, t } from "../words/words.js";

/**
 * @typedef {import("../wire/types.js").Deal} Deal
 * @typedef {import("../wire/types.js").Replay} Game
 */

/**
 * Opens a game; `?ply=` says at which move.
 * @param {import("../parts/navigation.js").Params} params
 * @param {import("../parts/navigation.js").Visit} visit
 * @returns {Promise<import("../parts/navigation.js").Page>}
 */
export async function open({ game: id }, { query }) {
  try {
    /** @type {Game} */
    const game = await api.get(`/games/${id}`);
    return gamePage(game, await api.get(`/deals/${game.code}`), query.get("ply"));
  } catch (problem) {
    if (/** @type {{code?: string}} */ (problem).code === "forbidden") return notYetPage();
    throw problem;
  }
}

/** @returns {import("../parts/navigation.js").Page} */
function notYetPage() {
  const title = t("replay.notYet");
  const element = h(
    "div",
    { class: "page narrow" },
    h("h1", {}, title),
    h("p", {}, t("replay.notYetText")),
    h("div", { class: "row" }, h("a", { class: "button", href: "/" }, t("app.toHome"))),
  );
  return { title, element };
}

/**
 * @param {Game} game
 * @param {Deal} deal
 * @param {string | null} ply
 * @returns {import("../parts/navigation.js").Page}
 */
function gamePage(game, deal, ply) {
  const film = replay(deal, game);
  const title = t("replay.title", { name: game.player.name || t("room.nameless") });
  const view = filmView(film, { ply: plyFrom(ply, film), label: t("replay.player") });
  const line = h("div", { class: "film-line", role: "status" });

  /** @param {import("../wire/types.js").Outlook} outlook */
  function watchLine({ ply: from, line: moves }) {
    const played = game.moves.slice(0, from);
    const times_ms = game.times_ms.slice(0, from);
    view.change(replay(deal, { moves: [...played, ...moves], times_ms }), from);
    const back = () => {
      view.change(film, from);
      replaceChildren(line);
    };
    const button = h("button", { class: "button", on: { click: back } }, t("replay.toGame"));
    replaceChildren(line, h("p", {}, t("replay.lineShown", { move: from })), button);
    view.element.scrollIntoView({ block: "start" });
    view.play();
  }

  const element = h(
    "div",
    { class: "page" },
    heading(game, title),
    line,
    view.element,
    h(
      "div",
      { class: "film-more" },
      outlookView(game.id, { ply: view.ply, watch: watchLine }),
      proofView(game),
    ),
  );
  return { title, element, close: view.close };
}

/**
 * @param {Game} game
 * @param {string} title
 */
function heading({ id, room, players, player, result, ended_at: endedAt }, title) {
  const rank = t("room.end.rank", { rank: number(result.rank), n: players });
  return h(
    "header",
    { class: "film-head" },
    h("h1", {}, title),
    h("p", {}, resultText(result)),
    h("p", { class: "muted" }, `${rank} · ${dateText(endedAt, "moment")}`),
    h(
      "nav",
      { class: "row", "aria-label": t("replay.more") },
      h("a", { href: `/rooms/${room}` }, t("replay.toRoom")),
      h("a", { href: `/players/${player.id}` }, t("replay.toPlayer")),
      h("a", { href: `/api/v1/games/${id}` }, t("replay.raw")),
    ),
  );
}

/** @param {Game["result"]} result */
function resultText({ state, placed, actions, at_ms: atMs }) {
  if (state === "won") return t("room.end.wonText", { n: actions, time: clockText(atMs) });
  const sign = stateSign(state);
  return `${t("room.end.text", { n: placed })} ${sign?.sign} ${sign?.words}`;
}

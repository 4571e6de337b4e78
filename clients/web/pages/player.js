/** A player's public page. */

import { exactClock } from "../boards/words.js";
import { variantText } from "../parts/deal_words.js";
import { h } from "../parts/dom.js";
import { account } from "../state/account.js";
import { api, pathOf } from "../wire/api.js";
import { dateText, number, t } from "../words/words.js";

/**
 * @typedef {import("../wire/types.js").Profile} Profile
 * @typedef {import("../wire/types.js").RecentGame} RecentGame
 */

/**
 * Opens the page of `/players/{id}`.
 * @param {import("../app.js").Params} params
 * @param {import("../app.js").Visit} visit
 * @returns {Promise<import("../app.js").Page>}
 */
export async function open({ player: id }, { signal }) {
  const profile = /** @type {Profile} */ (await api.get(pathOf("/players", id), { signal }));
  const { player } = profile;
  const title = player.name || t("player.nameless");
  const element = h(
    "div",
    { class: "page" },
    h(
      "div",
      { class: "row" },
      h("h1", { class: "player-title" }, title),
      player.kind === "bot" && h("span", { class: "chip" }, t("room.bot")),
      player.id === account.player?.id && h("a", { class: "button quiet", href: "/settings" }, t("player.settings")),
    ),
    !player.name && h("p", { class: "muted" }, t("player.namelessText")),
    numbers(profile),
    profile.ratings.length > 0 && ratings(profile),
    recentGames(profile.recent_games),
  );
  return { title, element };
}

/** @param {Profile} profile */
function numbers({ games, wins, best_ms, streak }) {
  const share = games ? number(wins / games, { style: "percent", maximumFractionDigits: 0 }) : "";
  const facts = [
    [t("player.games"), number(games), ""],
    [t("player.wins"), number(wins), share],
    [t("player.best"), best_ms === null ? "–" : exactClock(best_ms), ""],
    [t("player.streak"), t("boards.days", { n: streak }), ""],
  ];
  return h(
    "dl",
    { class: "numbers-row" },
    facts.map(([name, value, more]) =>
      h(
        "div",
        { class: "panel" },
        h("dt", { class: "muted" }, name),
        h("dd", {}, h("span", { class: "pace" }, value), more && h("span", { class: "muted" }, ` ${more}`)),
      ),
    ),
  );
}

/** @param {Profile} profile */
function ratings({ ratings: rated }) {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const row = (/** @type {Profile["ratings"][number]} */ one) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", class: "name" }, variantText(one)),
      h("td", { class: "number" }, number(one.rating, digits)),
      h("td", { class: "number" }, `± ${number(one.uncertainty, digits)}`),
    );
  return section(
    "ratings",
    t("player.ratings"),
    h("p", { class: "muted small" }, t("player.ratingsText")),
    table([t("player.variant"), t("boards.unit.points"), t("player.uncertainty")], rated.map(row)),
  );
}

/** @param {RecentGame[]} games */
function recentGames(games) {
  const row = (/** @type {RecentGame} */ game) => {
    const day = dateText(game.ended_at, "moment");
    return h(
      "tr",
      {},
      h(
        "td",
        { class: "name" },
        h("a", { href: `/rooms/${game.room}` }, day),
        h("div", { class: "muted small" }, variantText(game)),
      ),
      h("td", { class: "number" }, number(game.rank)),
      h("td", { class: "number" }, number(game.placed), game.state === "won" && ` ★ ${t("room.state.won")}`),
      h(
        "td",
        { class: "number" },
        h("a", { class: "button", href: `/games/${game.id}`, "aria-label": t("player.watchGame", { day }) }, t("player.watch")),
      ),
    );
  };
  return section(
    "recent",
    t("player.recent"),
    games.length > 0
      ? table([t("player.race"), t("boards.rank"), t("boards.unit.cards"), t("player.replay")], games.map(row))
      : h("p", { class: "muted" }, t("player.noGames")),
  );
}

/**
 * @param {string} id
 * @param {string} title
 * @param {...import("../parts/dom.js").Child} content
 */
function section(id, title, ...content) {
  return h("section", { class: "panel", "aria-labelledby": id }, h("h2", { id }, title), content);
}

/**
 * @param {string[]} columns  the first one wide
 * @param {HTMLElement[]} rows
 */
function table([first, ...others], rows) {
  const head = h(
    "tr",
    {},
    h("th", { scope: "col", class: "name" }, first),
    others.map((text) => h("th", { scope: "col", class: "number" }, text)),
  );
  return h("div", { class: "scroll-x" }, h("table", { class: "list" }, h("thead", {}, head), h("tbody", {}, rows)));
}

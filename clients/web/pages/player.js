/** A player's public page. */

import { exactClock } from "../boards/words.js";
import { variantText } from "../parts/deal_words.js";
import { h } from "../parts/dom.js";
import { account } from "../state/account.js";
import { api, Problem, pathOf } from "../state/api.js";
import { dateText, number, t } from "../words/words.js";

/**
 * @typedef {import("../wire/types.js").Profile} Profile
 * @typedef {import("../wire/types.js").RecentGame} RecentGame
 */

/**
 * Opens the page of `/players/{id}`.
 * @param {import("../parts/navigation.js").Params} params
 * @param {import("../parts/navigation.js").Visit} visit
 * @returns {Promise<import("../parts/navigation.js").Page>}
 */
export async function open({ player: id }, { signal }) {
  const profile = await findProfile(id, signal);
  if (!profile) return leftPage();
  const { player } = profile;
  const title = player.name;
  const element = h(
    "div",
    { class: "page" },
    h(
      "div",
      { class: "row" },
      h("h1", { class: "player-title" }, title),
      player.kind === "bot" && h("span", { class: "chip" }, t("room.bot")),
      player.id === account.player?.id &&
        h("a", { class: "button quiet", href: "/settings" }, t("player.settings")),
    ),
    numbers(profile),
    profile.ratings.length > 0 && ratings(profile),
    recentGames(profile.recent_games),
  );
  return { title, element };
}

/**
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {Promise<Profile | null>}  null for who has left for good: boards still lead to them
 */
async function findProfile(id, signal) {
  try {
    return await api.get(pathOf("/players", id), { signal });
  } catch (problem) {
    if (problem instanceof Problem && problem.code === "not_found") return null;
    throw problem;
  }
}

/** @returns {import("../app.js").Page} */
function leftPage() {
  const title = t("player.nameless");
  const element = h(
    "div",
    { class: "page narrow" },
    h("h1", {}, title),
    h("p", {}, t("player.namelessText")),
    h("div", {}, h("a", { class: "button", href: "/boards" }, t("boards.title"))),
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
        h(
          "dd",
          {},
          h("span", { class: "pace" }, value),
          more && h("span", { class: "muted" }, ` ${more}`),
        ),
      ),
    ),
  );
}

/** @param {Profile} profile */
function ratings({ ratings: rated }) {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const row = (/** @type {Profile["ratings"][number]} */ one) =>
    h(
      "div",
      { class: "rating" },
      h("dt", {}, variantText(one)),
      h(
        "dd",
        {},
        h("b", {}, number(one.rating, digits)),
        h("span", { class: "muted" }, ` ± ${number(one.uncertainty, digits)}`),
      ),
    );
  return section(
    "ratings",
    t("player.ratings"),
    h("dl", { class: "ratings" }, rated.map(row)),
    h("p", { class: "muted small" }, t("player.ratingsText")),
  );
}

/** @param {RecentGame[]} games */
function recentGames(games) {
  const list = h("ul", { class: "races" }, games.map(gameRow));
  return section(
    "recent",
    t("player.recent"),
    games.length > 0 ? list : h("p", { class: "muted" }, t("player.noGames")),
  );
}

/** @param {RecentGame} game */
function gameRow(game) {
  const day = dateText(game.ended_at, "moment");
  const placed = t("home.resultPlaced", { n: game.placed });
  return h(
    "li",
    {},
    h(
      "div",
      { class: "race-name" },
      h("a", { href: `/rooms/${game.room}` }, day),
      h("p", { class: "muted small" }, variantText(game)),
    ),
    h(
      "p",
      { class: "race-seats" },
      h("b", {}, t("player.rank", { n: game.rank })),
      ` · ${game.state === "won" ? `★ ${t("room.state.won")}` : placed}`,
    ),
    h(
      "a",
      { class: "button", href: `/games/${game.id}`, "aria-label": t("player.watchGame", { day }) },
      t("player.watch"),
    ),
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

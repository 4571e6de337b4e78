/** How to play, how results rank, and why it is fair. */

import { h } from "../parts/dom.js";
import { t } from "../words/words.js";

/**
 * Opens the page.
 * @returns {Promise<import("../parts/navigation.js").Page>}
 */
export async function open() {
  const title = t("help.title");
  const element = h(
    "article",
    { class: "page narrow help" },
    h("h1", {}, title),
    part(t("help.goal"), h("p", {}, t("help.goalText"))),
    part(
      t("help.table"),
      h(
        "ul",
        {},
        tableLines().map((text) => h("li", {}, text)),
      ),
    ),
    part(t("help.rules"), rules()),
    part(t("help.race"), h("p", {}, t("help.raceText")), h("p", {}, t("help.rank")), ranking()),
    part(t("help.daily"), h("p", {}, t("help.dailyText"))),
    part(t("help.keys"), keys()),
    part(t("help.fair"), h("p", {}, t("help.fairText"))),
    part(t("help.build"), h("p", {}, t("help.buildText")), documents()),
    h("div", { class: "row" }, h("a", { class: "button primary", href: "/" }, t("home.play"))),
  );
  return { title, element };
}

/**
 * @param {string} title
 * @param {...import("../parts/dom.js").Child} content
 */
function part(title, ...content) {
  return h("section", { class: "stack close" }, h("h2", {}, title), content);
}

function tableLines() {
  return [t("help.table1"), t("help.table2"), t("help.table3"), t("help.table4"), t("help.table5")];
}

function rules() {
  return h(
    "dl",
    {},
    h("dt", {}, t("new.cf1")),
    h("dd", {}, t("help.cf1")),
    h("dt", {}, t("new.ch1")),
    h("dd", {}, t("help.ch1")),
  );
}

function ranking() {
  const lines = [t("help.rank1"), t("help.rank2"), t("help.rank3"), t("help.rank4")];
  return h(
    "ol",
    {},
    lines.map((text) => h("li", {}, text)),
  );
}

function keys() {
  /** @type {[string[], string][]} */
  const lines = [
    [[t("help.arrows")], t("help.arrowsText")],
    [[t("help.enter")], t("help.enterText")],
    [["W", "R", "1", "2", "3", "4"], t("help.pilesText")],
    [["F"], t("help.fText")],
    [["D"], t("help.drawText")],
    [["U"], t("help.undoText")],
    [[t("help.escape")], t("help.escapeText")],
  ];
  const row = (/** @type {[string[], string]} */ [names, does]) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        names.map((name) => [h("kbd", {}, name), " "]),
      ),
      h("td", {}, does),
    );
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, t("help.keysKey")),
    h("th", { scope: "col" }, t("help.keysDoes")),
  );
  return h(
    "table",
    { class: "list keys-table" },
    h("thead", {}, head),
    h("tbody", {}, lines.map(row)),
  );
}

function documents() {
  return h(
    "ul",
    {},
    h("li", {}, h("a", { href: "/openapi.json" }, t("help.openapi"))),
    h("li", {}, h("a", { href: "/asyncapi.json" }, t("help.asyncapi"))),
  );
}

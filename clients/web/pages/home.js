/** The home page: today's deal first, then the races of the others. */

import { followDaily } from "../home/daily.js";
import { findForm } from "../home/find.js";
import { hero } from "../home/hero.js";
import { raceLists } from "../home/races.js";
import { h } from "../parts/dom.js";
import { t } from "../words/words.js";

/**
 * Opens the page; what it shows of others comes in when it is there.
 * @returns {Promise<import("../parts/navigation.js").Page>}
 */
export async function open() {
  const top = hero(() => daily.now());
  const daily = followDaily((today) => top.show(today));
  const races = raceLists();
  const element = h(
    "div",
    { class: "page home" },
    top.element,
    h(
      "section",
      { class: "panel lobby-list", "aria-labelledby": "races-title" },
      h(
        "div",
        { class: "row spread" },
        h("h2", { id: "races-title" }, t("home.rooms")),
        h("a", { class: "button", href: "/new" }, t("home.newRace")),
      ),
      races.element,
    ),
    findForm(),
  );
  const close = () => {
    top.close();
    daily.close();
    races.close();
  };
  return { title: t("app.name"), element, close };
}

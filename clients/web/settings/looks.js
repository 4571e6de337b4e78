/** How the page looks and plays in this browser. */

import { h } from "../parts/dom.js";
import { checkBox, choice, selectField } from "../parts/fields.js";
import { preferences } from "../state/preferences.js";
import { LANGUAGES, t } from "../words/words.js";

/** @typedef {import("../state/preferences.js").Preferences} Preferences */

/** The id of the field for the language. */
export const LANGUAGE_ID = "language";

/**
 * Makes the settings of this browser.
 * @returns {HTMLElement}
 */
export function looksPanel() {
  const theme = choice({
    name: "theme",
    legend: t("settings.theme"),
    options: [
      { value: "", text: t("settings.asSystem") },
      { value: "light", text: t("settings.light") },
      { value: "dark", text: t("settings.dark") },
    ],
    change: (value) => preferences.set("theme", /** @type {"" | "light" | "dark"} */ (value)),
  });
  theme.set(preferences.get("theme"));
  return h(
    "section",
    { class: "panel", "aria-labelledby": "looks-title" },
    h("h2", { id: "looks-title" }, t("settings.looks")),
    h("p", { class: "muted" }, t("settings.looksText")),
    languageField(),
    theme.element,
    h("div", {}, switches()),
  );
}

function languageField() {
  const own = Object.entries(LANGUAGES).map(([value, text]) => ({ value, text }));
  return selectField({
    id: LANGUAGE_ID,
    label: t("settings.language"),
    options: [{ value: "", text: t("settings.asBrowser") }, ...own],
    value: preferences.get("language"),
    change: (value) => preferences.set("language", /** @type {Preferences["language"]} */ (value)),
  });
}

function switches() {
  const letters = checkBox({
    name: "letters",
    text: t("settings.letters"),
    more: t("settings.lettersText"),
    change: (on) => preferences.set("letters", on ? "international" : ""),
  });
  letters.input.checked = preferences.get("letters") === "international";
  return [
    onOff("fourColours", t("settings.fourColours"), t("settings.fourColoursText")),
    letters.element,
    onOff("animations", t("settings.animations"), t("settings.animationsText")),
    onOff("tapToColumn", t("settings.tapToColumn"), t("settings.tapToColumnText")),
  ];
}

/**
 * @param {"fourColours" | "animations" | "tapToColumn"} name
 * @param {string} text
 * @param {string} more
 */
function onOff(name, text, more) {
  const box = checkBox({ name, text, more, change: (on) => preferences.set(name, on) });
  box.input.checked = preferences.get(name);
  return box.element;
}

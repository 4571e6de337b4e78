/** The field for a code or a link. */

import { h } from "../parts/dom.js";
import { textField } from "../parts/fields.js";
import { go } from "../parts/navigation.js";
import { problemText } from "../parts/toast.js";
import { api } from "../state/api.js";
import { t } from "../words/words.js";
import { placeOf } from "./places.js";

/**
 * Makes the field; it goes to what was typed.
 * @returns {HTMLFormElement}
 */
export function findForm() {
  const button = h("button", { class: "button" }, t("home.findGo"));
  const field = textField({
    id: "find",
    label: t("home.find"),
    hint: t("home.findHint"),
    after: button,
    input: { autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "go" },
  });
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    button.disabled = true;
    field.show(await follow(field.input.value));
    button.disabled = false;
    if (field.input.hasAttribute("aria-invalid")) field.input.focus();
  };
  return h("form", { class: "panel find", novalidate: true, on: { submit } }, field.element);
}

/**
 * Goes to where a text leads; a room is looked for first.
 * @param {string} text
 * @returns {Promise<string>}  what is wrong with it, or ""
 */
async function follow(text) {
  const place = placeOf(text);
  if (!place) return t("home.findBad");
  try {
    if ("room" in place) await api.get(`/rooms/${place.room}`);
  } catch (problem) {
    const missing = /** @type {{code?: string}} */ (problem).code === "not_found";
    return missing ? t("home.findNone") : problemText(problem);
  }
  go("room" in place ? `/rooms/${place.room}` : place.path);
  return "";
}

/** Who one is here: the name, or how to get one. */

import { askName } from "../parts/dialog.js";
import { h } from "../parts/dom.js";
import { textField } from "../parts/fields.js";
import { problemText, say, toast } from "../parts/toast.js";
import { account } from "../state/account.js";
import { t } from "../words/words.js";

const NAME = {
  required: true,
  minlength: 2,
  autocomplete: "nickname",
  spellcheck: "false",
};
const KEY = { required: true, type: "password", autocomplete: "off", spellcheck: "false" };

/**
 * Makes the panel of who has a name: another one can be taken.
 * @param {import("../wire/types.js").Player} player
 * @returns {HTMLElement}
 */
export function namePanel(player) {
  const form = lineForm({
    id: "my-name",
    label: t("settings.name"),
    hint: t("name.hint"),
    button: t("settings.rename"),
    input: { ...NAME, value: player.name },
    async send(name) {
      await account.rename(name);
      toast(t("settings.renamed", { name }));
      say(t("settings.renamed", { name }));
    },
  });
  const page = h("a", { href: `/players/${player.id}` }, t("settings.myPage"));
  return panel("name", t("settings.you"), form, h("p", {}, page));
}

/**
 * Makes the panel of who has none yet: a name is chosen here, or a key from elsewhere used.
 * @returns {HTMLElement}
 */
export function newcomerPanel() {
  return panel(
    "name",
    t("settings.you"),
    h("p", {}, t("settings.noName")),
    h("div", {}, h("button", { class: "button primary", on: { click: askName } }, t("app.signIn"))),
    keyForm(),
  );
}

/**
 * Makes the form for a key that another device has made.
 * @returns {HTMLFormElement}
 */
export function keyForm() {
  return lineForm({
    id: "other-key",
    label: t("name.tokenLabel"),
    hint: t("name.tokenHint"),
    button: t("name.tokenGo"),
    input: KEY,
    async send(token) {
      const { name } = await account.adopt(token);
      toast(t("settings.welcome", { name }));
      say(t("settings.welcome", { name }));
    },
  });
}

/**
 * Makes a form of one field and a button beside it.
 * @param {{id: string, label: string, hint: string, button: string,
 *   input: import("../parts/dom.js").Attributes, send: (value: string) => Promise<unknown>}} form
 * @returns {HTMLFormElement}
 */
export function lineForm({ id, label, hint, button: text, input, send }) {
  const button = h("button", { class: "button" }, text);
  const field = textField({ id, label, hint, after: button, input });
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await send(field.input.value.trim());
      field.show("");
    } catch (problem) {
      field.show(problemText(problem));
      field.input.focus();
    }
    button.disabled = false;
  };
  return h("form", { on: { submit } }, field.element);
}

/**
 * Makes a panel with a heading.
 * @param {string} id
 * @param {string} title
 * @param {...import("../parts/dom.js").Child} content
 * @returns {HTMLElement}
 */
export function panel(id, title, ...content) {
  const heading = `${id}-title`;
  return h(
    "section",
    { class: "panel", "aria-labelledby": heading },
    h("h2", { id: heading }, title),
    content,
  );
}

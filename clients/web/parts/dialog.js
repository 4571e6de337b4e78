/** Dialogs, as the browser has them: Escape closes, focus stays inside and comes back. */

import { account } from "../state/account.js";
import { t } from "../words/words.js";
import { h, replaceChildren } from "./dom.js";
import { textField } from "./fields.js";
import { problemText } from "./toast.js";

/**
 * Opens a dialog.
 * @param {{title: string, body: import("./dom.js").Child, class?: string}} content
 * @returns {{close(value?: string): void, closed: Promise<string>, element: HTMLDialogElement}}
 */
export function openDialog({ title, body, class: kind = "" }) {
  const element = h(
    "dialog",
    { class: `dialog ${kind}`, "aria-labelledby": "dialog-title" },
    h("h2", { id: "dialog-title" }, title),
    h("button", {
      class: "dialog-close",
      "aria-label": t("app.close"),
      on: { click: () => element.close() },
    }),
    body,
  );
  const closed = new Promise((resolve) => {
    element.addEventListener("close", () => {
      element.remove();
      resolve(element.returnValue);
    });
  });
  document.body.append(element);
  element.showModal();
  return { close: (value = "") => element.close(value), closed, element };
}

/**
 * Asks a question that has two answers.
 * @param {{title: string, text: string, yes: string, danger?: boolean}} question
 * @returns {Promise<boolean>}
 */
export async function confirmDialog({ title, text, yes, danger = false }) {
  const answer = (/** @type {string} */ value) => ({ on: { click: () => dialog.close(value) } });
  const dialog = openDialog({
    title,
    body: [
      h("p", {}, text),
      h(
        "div",
        { class: "row end" },
        h("button", { class: "button", ...answer("") }, t("app.cancel")),
        h("button", { class: `button ${danger ? "danger" : "primary"}`, ...answer("yes") }, yes),
      ),
    ],
  });
  return (await dialog.closed) === "yes";
}

/**
 * Makes sure that there is a player: asks for a name once, and registers it.
 * @returns {Promise<import("../wire/types.js").Player | null>} null when the question was closed
 */
export async function askName() {
  if (account.player) return account.player;
  const body = h("div");
  const dialog = openDialog({ title: t("name.title"), body });
  const done = () => dialog.close();
  const showNew = () => replaceChildren(body, newcomer(done, showKey));
  const showKey = () => replaceChildren(body, keyHolder(done, showNew));
  showNew();
  await dialog.closed;
  return account.player;
}

/**
 * @param {() => void} done
 * @param {() => void} other
 */
function newcomer(done, other) {
  return nameForm({
    text: t("name.text"),
    label: t("name.label"),
    hint: t("name.hint"),
    go: t("name.go"),
    input: { minlength: 2, autocomplete: "nickname" },
    send: (name) => account.register(name),
    done,
    other: [t("name.token"), other],
  });
}

/**
 * @param {() => void} done
 * @param {() => void} other
 */
function keyHolder(done, other) {
  return nameForm({
    text: "",
    label: t("name.tokenLabel"),
    hint: t("name.tokenHint"),
    go: t("name.tokenGo"),
    input: { autocomplete: "off", type: "password" },
    send: (token) => account.adopt(token),
    done,
    other: [t("name.back"), other],
  });
}

/**
 * @param {{text: string, label: string, hint: string, go: string,
 *   input: import("./dom.js").Attributes, send: (value: string) => Promise<unknown>,
 *   done: () => void, other: [string, () => void]}} form
 */
function nameForm({ text, label, hint, go, input, send, done, other: [otherText, other] }) {
  const field = textField({
    id: "name-field",
    label,
    hint,
    input: {
      required: true,
      autofocus: true,
      spellcheck: "false",
      autocapitalize: "off",
      ...input,
    },
  });
  const button = h("button", { class: "button primary" }, go);
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await send(field.input.value.trim());
      done();
    } catch (problem) {
      field.show(problemText(problem));
      field.input.focus();
    }
    button.disabled = false;
  };
  setTimeout(() => field.input.focus()); // once it is in the page
  return h(
    "form",
    { class: "stack", on: { submit } },
    text && h("p", {}, text),
    field.element,
    h(
      "div",
      { class: "row spread" },
      h("button", { class: "button quiet", type: "button", on: { click: other } }, otherText),
      button,
    ),
  );
}

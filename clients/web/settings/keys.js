/** The keys to one's name: one for each device, made here, listed and revoked. */

import { copyFrom } from "../parts/copy.js";
import { confirmDialog, openDialog } from "../parts/dialog.js";
import { h, replaceChildren } from "../parts/dom.js";
import { qrView } from "../parts/qr_view.js";
import { problemText, sayProblem, toast } from "../parts/toast.js";
import { api } from "../state/api.js";
import { dateText, t } from "../words/words.js";
import { keyForm, lineForm, panel } from "./name.js";

/**
 * @typedef {import("../wire/types.js").TokenInfo} TokenInfo
 * @typedef {import("../wire/types.js").IssuedToken} IssuedToken
 */

/**
 * Makes the panel of the keys.
 * @returns {HTMLElement}
 */
export function keysPanel() {
  const list = h("ul", { class: "keys", "aria-live": "polite" });
  const load = async () => {
    try {
      replaceChildren(
        list,
        (await allKeys()).map((key) => keyRow(key, load)),
      );
    } catch (problem) {
      replaceChildren(list, h("li", {}, problemText(problem)));
    }
  };
  const make = lineForm({
    id: "key-label",
    label: t("settings.newKey"),
    hint: t("settings.newKeyHint"),
    button: t("settings.makeKey"),
    input: { required: true, maxlength: 40, autocomplete: "off" },
    async send(label) {
      const issued = /** @type {IssuedToken} */ (await api.post("/players/me/tokens", { label }));
      await showOnce(issued);
      load();
    },
  });
  load();
  const other = h(
    "details",
    { class: "more" },
    h("summary", {}, t("settings.otherKey")),
    h("div", { class: "stack" }, keyForm()),
  );
  return panel(
    "keys",
    t("settings.keys"),
    h("p", { class: "muted" }, t("settings.keysText")),
    make,
    list,
    other,
  );
}

/**
 * Lists one's keys.
 * @returns {Promise<TokenInfo[]>}
 */
export async function allKeys() {
  return (await api.get("/players/me/tokens?limit=100")).items;
}

/**
 * @param {TokenInfo} key
 * @param {() => void} reload
 */
function keyRow({ id, label, created_at, current }, reload) {
  const revoke = async () => {
    const sure = await confirmDialog({
      title: t("settings.revokeTitle", { label }),
      text: t("settings.revokeText"),
      yes: t("settings.revoke"),
      danger: true,
    });
    if (!sure) return;
    await api.del(`/players/me/tokens/${id}`).catch(sayProblem);
    reload();
  };
  const made = t("settings.made", { day: dateText(created_at) });
  return h(
    "li",
    {},
    h("div", { class: "key-name" }, h("b", {}, label), h("p", { class: "muted small" }, made)),
    current
      ? h("span", { class: "chip strong" }, t("settings.thisBrowser"))
      : h(
          "button",
          {
            class: "button danger",
            "aria-label": t("settings.revokeLabel", { label }),
            on: { click: revoke },
          },
          t("settings.revoke"),
        ),
  );
}

/**
 * Shows a new key, this once; it is text for a field and never a link, which would be kept in histories.
 * @param {IssuedToken} issued
 * @returns {Promise<unknown>} when it has been closed
 */
function showOnce({ label, token }) {
  const field = h("input", {
    id: "new-key",
    type: "text",
    readonly: true,
    value: token,
    "aria-describedby": "new-key-hint",
  });
  const copy = async () => {
    if (await copyFrom(field)) toast(t("app.copied"));
  };
  const dialog = openDialog({
    title: t("settings.keyFor", { label }),
    body: [
      h("p", { id: "new-key-hint" }, t("settings.keyOnce")),
      h(
        "div",
        { class: "field" },
        h("label", { for: "new-key" }, t("settings.key")),
        h(
          "div",
          { class: "field-row" },
          field,
          h("button", { class: "button primary", on: { click: copy } }, t("settings.copy")),
        ),
      ),
      h("div", { class: "key-qr" }, qrView(token, { label: t("settings.keyQr") })),
    ],
  });
  return dialog.closed;
}

/** The link to a room, to be copied, sent, or read by another phone's camera. */

import { copyFrom } from "../parts/copy.js";
import { h } from "../parts/dom.js";
import { qrView } from "../parts/qr_view.js";
import { toast } from "../parts/toast.js";
import { t } from "../words/words.js";

/**
 * Makes the panel with the link to a room.
 * @param {string} roomId
 * @returns {HTMLElement}
 */
export function sharePanel(roomId) {
  const url = `${location.origin}/rooms/${roomId}`;
  const link = h("input", { id: "share-link", type: "text", readonly: true, value: url });
  const copy = async () => {
    if (await copyFrom(link)) toast(t("app.copied"));
  };
  const send = () => navigator.share({ title: t("app.name"), url }).catch(() => {}); // closed again
  return h(
    "section",
    { class: "panel share", "aria-labelledby": "share-title" },
    h("h2", { id: "share-title" }, t("room.share")),
    h("div", { class: "share-code" }, qrView(url, { label: t("room.qr") })),
    h(
      "div",
      { class: "field" },
      h("label", { for: "share-link" }, t("room.link")),
      h(
        "div",
        { class: "share-row" },
        link,
        h("button", { class: "button", on: { click: copy } }, t("room.copy")),
        "share" in navigator &&
          h("button", { class: "button", on: { click: send } }, t("room.send")),
      ),
    ),
  );
}

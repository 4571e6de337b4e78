/** The settings: who one is, on which devices, and how the page looks in this browser. */

import { h, replaceChildren } from "../parts/dom.js";
import { keysPanel } from "../settings/keys.js";
import { leavingPanel } from "../settings/leaving.js";
import { LANGUAGE_ID, looksPanel } from "../settings/looks.js";
import { namePanel, newcomerPanel } from "../settings/name.js";
import { account } from "../state/account.js";
import { t } from "../words/words.js";

/**
 * Opens the page.
 * @returns {Promise<import("../parts/navigation.js").Page>}
 */
export async function open() {
  const title = t("settings.title");
  const who = h("div", { class: "settings-part" });
  const out = h("div", { class: "settings-part" });
  /** @type {string | null | undefined} */
  let shown;
  const show = () => {
    const id = account.player?.id ?? null;
    if (id === shown) return; // another name: what has the focus keeps it
    shown = id;
    replaceChildren(
      who,
      account.player ? [namePanel(account.player), keysPanel()] : newcomerPanel(),
    );
    replaceChildren(out, account.player && leavingPanel());
  };
  show();
  keepLanguageFocused();
  const close = account.onChange(show);
  const element = h("div", { class: "page narrow" }, h("h1", {}, title), who, looksPanel(), out);
  return { title, element, close };
}

/** In another language the page is made anew: who has just chosen it goes on from there. */
function keepLanguageFocused() {
  if (document.activeElement?.id !== LANGUAGE_ID) return;
  setTimeout(() => document.getElementById(LANGUAGE_ID)?.focus());
}

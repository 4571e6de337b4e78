/** Ways out: of this browser, or for good. */

import { confirmDialog } from "../parts/dialog.js";
import { h } from "../parts/dom.js";
import { go } from "../parts/navigation.js";
import { sayProblem, toast } from "../parts/toast.js";
import { account } from "../state/account.js";
import { api } from "../state/api.js";
import { t } from "../words/words.js";
import { allKeys } from "./keys.js";
import { panel } from "./name.js";

/**
 * Makes the panel of the ways out.
 * @returns {HTMLElement}
 */
export function leavingPanel() {
  return panel(
    "leaving",
    t("settings.leaving"),
    h("p", { class: "muted" }, t("settings.leavingText")),
    h(
      "div",
      { class: "row" },
      h("button", { class: "button", on: { click: signOut } }, t("settings.signOut")),
      h("button", { class: "button danger", on: { click: leaveForGood } }, t("settings.leave")),
    ),
  );
}

/** Signs out of this browser; its key is revoked, for nobody has it any more. */
async function signOut() {
  const keys = await allKeys().catch(() => null);
  const last = keys !== null && keys.length === 1;
  const sure = await confirmDialog({
    title: t("settings.signOutTitle"),
    text: t(last ? "settings.signOutLast" : "settings.signOutText"),
    yes: t("settings.signOut"),
    danger: last,
  });
  if (!sure) return;
  const own = keys?.find(({ current }) => current);
  if (own && !last) await api.del(`/players/me/tokens/${own.id}`).catch(() => {}); // offline: it is forgotten all the same
  account.forget();
  go("/");
}

async function leaveForGood() {
  const name = account.player?.name ?? "";
  const sure = await confirmDialog({
    title: t("settings.leaveTitle", { name }),
    text: t("settings.leaveText"),
    yes: t("settings.leaveYes"),
    danger: true,
  });
  if (!sure) return;
  try {
    await account.leaveForGood();
    toast(t("settings.left"));
    go("/");
  } catch (problem) {
    sayProblem(problem);
  }
}

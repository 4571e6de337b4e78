/** Shows that a deal is the one that was promised: its code and nonce have the fingerprint. */

import { t } from "../words/words.js";
import { h } from "./dom.js";
import { sha256Hex } from "./sha256.js";

/**
 * Checks a deal against its commitment, here and now, and shows both.
 * @param {{code: string, nonce: string, commitment: string}} promise
 * @returns {HTMLElement}
 */
export function proofView({ code, nonce, commitment }) {
  const holds = sha256Hex(`${code}:${nonce}`) === commitment;
  const facts = [
    [t("results.code"), code],
    [t("results.nonce"), nonce],
    [t("results.fingerprint"), commitment],
  ];
  return h(
    "section",
    { class: `panel proof ${holds ? "good" : "bad"}` },
    h(
      "h2",
      {},
      h("span", { class: "proof-sign", "aria-hidden": "true" }, holds ? "✓" : "✗"),
      t(holds ? "results.proofGood" : "results.proofBad"),
    ),
    h("p", {}, t(holds ? "results.proofGoodText" : "results.proofBadText")),
    h(
      "dl",
      {},
      facts.map(([name, value]) =>
        h("div", {}, h("dt", {}, name), h("dd", {}, h("code", {}, value))),
      ),
    ),
  );
}

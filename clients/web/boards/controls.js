/** What chooses a list of a leaderboard: the period and its neighbours, the rules, the players. */

import { variantText } from "../parts/deal_words.js";
import { h } from "../parts/dom.js";
import { choice, selectField } from "../parts/fields.js";
import { t } from "../words/words.js";
import { neighbour, PERIODS, startOf } from "./choice.js";
import { periodText } from "./words.js";

/**
 * @typedef {import("./choice.js").Chosen} Chosen
 * @typedef {import("../wire/types.js").Variant} Variant
 */

/**
 * Makes the controls.
 * @param {Chosen} first
 * @param {string} today
 * @param {(chosen: Chosen) => void} changed
 * @returns {HTMLElement}
 */
export function boardControls(first, today, changed) {
  let chosen = first;
  const change = (/** @type {Partial<Chosen>} */ part) => {
    chosen = { ...chosen, ...part };
    times.show(chosen);
    changed(chosen);
  };
  const periods = choice({
    name: "period",
    legend: t("boards.period"),
    hidden: true,
    options: PERIODS.map((value) => ({ value, text: t(`boards.period.${value}`) })),
    change: (value) => change({ period: /** @type {Chosen["period"]} */ (value), at: today }),
  });
  periods.set(first.period);
  const times = timeRow(today, (by) => change({ at: neighbour(chosen.period, chosen.at, by) }));
  times.show(first);
  const { variants } = first.board;
  const variant = selectField({
    id: "board-variant",
    label: t("boards.variant"),
    options: variants.map((one) => ({ value: nameOf(one), text: variantText(one) })),
    value: nameOf(first.variant),
    change: (value) =>
      change({ variant: variants.find((one) => nameOf(one) === value) ?? variants[0] }),
  });
  const kind = selectField({
    id: "board-kind",
    label: t("boards.kind"),
    options: [
      { value: "human", text: t("boards.humans") },
      { value: "bot", text: t("boards.bots") },
    ],
    value: first.kind,
    change: (value) => change({ kind: value === "bot" ? "bot" : "human" }),
  });
  return h(
    "div",
    { class: "board-controls" },
    h("div", { class: "stack close" }, periods.element, times.element),
    h("div", { class: "board-selects" }, variants.length > 1 && variant, kind),
  );
}

/** @param {Variant} variant */
function nameOf({ ruleset, draw }) {
  return `${ruleset}-${draw}`;
}

/**
 * Makes what goes to the period before and the one after.
 * @param {string} today
 * @param {(by: -1 | 1) => void} move
 */
function timeRow(today, move) {
  const text = h("span", { class: "period", "aria-live": "polite" });
  const button = (
    /** @type {-1 | 1} */ by,
    /** @type {string} */ sign,
    /** @type {string} */ label,
  ) => h("button", { class: "button", "aria-label": label, on: { click: () => move(by) } }, sign);
  const before = button(-1, "‹", t("boards.before"));
  const after = button(1, "›", t("boards.after"));
  const element = h("div", { class: "row period-row" }, before, text, after);
  return {
    element,
    /** @param {Chosen} chosen */
    show(chosen) {
      const { period, at } = chosen;
      text.textContent = period === "all" ? "" : periodText(chosen);
      element.hidden = period === "all";
      after.disabled = startOf(period, at) >= startOf(period, today);
    },
  };
}

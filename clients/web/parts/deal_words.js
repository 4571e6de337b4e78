/** What a race is played by, in words. */

import { dateText, t } from "../words/words.js";

/**
 * @typedef {{ruleset: string, draw: number}} Variant
 * @typedef {import("../wire/types.js").Room} Room
 */

/**
 * Names the rules and how many cards a draw turns; Hoyle's always turns three.
 * @param {Variant} variant
 * @returns {string}
 */
export function variantText({ ruleset, draw }) {
  if (ruleset === "CH1") return t("new.ch1");
  return t("new.variant", {
    ruleset: t("new.cf1"),
    draw: t(draw === 1 ? "new.draw1" : "new.draw3"),
  });
}

/**
 * Names a race: by its title, else by its host.
 * @param {Room} room
 * @returns {string}
 */
export function raceTitle({ title, host }) {
  if (title) return title;
  return host?.name ? t("home.noTitle", { name: host.name }) : t("home.race");
}

/**
 * Says when a race that waits will start.
 * @param {Room} room
 * @returns {string}
 */
export function startText({ start, start_at }) {
  if (start === "ready") return t("new.starts.ready");
  if (start === "at" && start_at) return t("new.starts.at", { time: dateText(start_at, "moment") });
  return t("new.starts.host");
}

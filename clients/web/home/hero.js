/** The first thing there is to see: today's deal, and the button that plays it. */

import { tick } from "../parts/clock_view.js";
import { h, replaceChildren } from "../parts/dom.js";
import { textField } from "../parts/fields.js";
import { go } from "../parts/navigation.js";
import { standingsTable } from "../parts/standings_view.js";
import { problemText } from "../parts/toast.js";
import { account } from "../state/account.js";
import { serverTime } from "../state/api.js";
import { clockText, dateText, t } from "../words/words.js";
import { fan } from "./fan.js";

const TOP = 10;
const DAY_MS = 86_400_000;

/** @typedef {import("./daily.js").Today} Today */

/**
 * Makes the hero.
 * @param {() => number} now  the server's clock
 * @returns {{element: HTMLElement, show(today: Today): void, close: () => void}}
 */
export function hero(now) {
  /** @type {Today | undefined} */
  let shown;
  const day = h(
    "p",
    { class: "hero-day" },
    dateText(new Date(serverTime()).toISOString().slice(0, 10)),
  );
  const action = heroAction();
  const facts = dailyFacts();
  const top = topTen();
  const play = h(
    "div",
    { class: "hero-play" },
    h(
      "div",
      { class: "hero-head" },
      fan(),
      day,
      h("h1", { id: "hero-title" }, t("home.title")),
      h("p", { class: "hero-what" }, t("home.what")),
    ),
    action.element,
    facts.element,
  );
  const stop = tick(() => {
    if (!shown) return;
    facts.showTime(shown, now());
    action.showTime(shown, now());
  });
  return {
    element: h("section", { class: "hero", "aria-labelledby": "hero-title" }, play, top.element),
    show(today) {
      shown = today;
      if (today.daily) day.textContent = dateText(today.daily.date);
      facts.show(today, now());
      action.show(today);
      top.show(today);
    },
    close: stop,
  };
}

/**
 * Makes what one can do with the daily: play it, go on, or see what became of it. Its controls stay
 * while only numbers change: a name that is being typed, and the focus.
 */
function heroAction() {
  let drawn = "";
  const left = h("b", { class: "hero-left" });
  const rank = h("p", { class: "hero-result" });
  const result = h("p");
  const element = h("div", { class: "hero-action" });
  return {
    element,
    /** @param {Today} today */
    show(today) {
      const stage = stageOf(today);
      const mine = ownEntry(today);
      if (mine) {
        rank.textContent = t("home.result", { rank: mine.rank, of: today.players });
        result.textContent = resultText(mine);
      }
      if (drawn === stage) return;
      drawn = stage;
      replaceChildren(element, actionsOf(stage, { left, rank, result }));
    },
    /** @param {Today} today @param {number} nowMs */
    showTime({ endsAt }, nowMs) {
      if (endsAt) left.textContent = clockText(Date.parse(endsAt) - nowMs);
    },
  };
}

/** @typedef {"none" | "newcomer" | "asking" | "open" | "running" | "over"} Stage */

/**
 * Says how far I am with the daily.
 * @param {Today} today
 * @returns {Stage}
 */
function stageOf(today) {
  if (today.status === "none") return "none";
  if (!account.player) return "newcomer";
  if (today.mine === undefined) return "asking";
  const mine = ownEntry(today);
  if (!mine) return "open";
  return mine.state === "racing" ? "running" : "over";
}

/**
 * Gives how I stand: live where I am among the best, else as it was when I came.
 * @param {Today} today
 */
function ownEntry({ mine, standings }) {
  return mine && (standings.find(({ player }) => player.id === mine.player.id) ?? mine);
}

/**
 * @param {Stage} stage
 * @param {{left: HTMLElement, rank: HTMLElement, result: HTMLElement}} live  texts that change
 * @returns {import("../parts/dom.js").Child}
 */
function actionsOf(stage, { left, rank, result }) {
  const link = (
    /** @type {string} */ kind,
    /** @type {string} */ href,
    /** @type {string} */ text,
  ) => h("a", { class: `button big ${kind}`, href }, text);
  switch (stage) {
    case "none":
      return [h("p", {}, t("home.none")), link("primary", "/new", t("home.newRace"))];
    case "newcomer":
      return nameForm();
    case "asking":
      return h("div", { class: "skeleton hero-wait", "aria-hidden": "true" });
    case "open":
      return link("primary", "/daily?join=1", t("home.play"));
    case "running":
      return [h("p", {}, t("home.yourTime"), " ", left), link("primary", "/daily", t("home.goOn"))];
    case "over":
      return [rank, result, link("", "/daily", t("home.toDaily"))];
  }
}

/** @param {import("../wire/types.js").Standing} mine */
function resultText({ state, placed, at_ms }) {
  if (state === "won") return t("home.resultWon", { time: clockText(at_ms) });
  return t("home.resultPlaced", { n: placed });
}

/** Makes the form of who is new: a name, and the game begins. */
function nameForm() {
  const button = h("button", { class: "button primary big" }, t("home.play"));
  const field = textField({
    id: "hero-name",
    label: t("home.name"),
    hint: t("home.nameHint"),
    after: button,
    input: {
      required: true,
      minlength: 2,
      autocomplete: "nickname",
      autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "go",
    },
  });
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await account.register(field.input.value.trim());
      go("/daily?join=1");
    } catch (problem) {
      field.show(problemText(problem));
      field.input.focus();
    }
    button.disabled = false;
  };
  return [
    h("form", { on: { submit } }, field.element),
    h("a", { class: "hero-key", href: "/settings" }, t("home.key")),
  ];
}

/** Makes the line of facts: how long it is open, how many have played. */
function dailyFacts() {
  const left = h("b", { class: "hero-left" });
  const closes = h("span", { hidden: true }, t("home.left"), " ", left);
  const players = h("span");
  return {
    element: h("p", { class: "hero-facts" }, closes, players),
    /** @param {Today} today @param {number} nowMs */
    show(today, nowMs) {
      closes.hidden = today.status !== "here";
      const text = today.players ? t("home.players", { n: today.players }) : t("home.nobody");
      players.textContent = today.status === "here" ? text : "";
      this.showTime(today, nowMs);
    },
    /** @param {Today} today @param {number} nowMs */
    showTime({ daily }, nowMs) {
      if (daily) left.textContent = clockText(Date.parse(daily.closes_at) - nowMs);
    },
  };
}

/** Makes the live list of the ten best. */
function topTen() {
  const table = standingsTable({ caption: t("home.top") });
  const empty = h("p", { class: "muted" });
  const before = h("a", { hidden: true });
  const element = h(
    "div",
    { class: "panel hero-top" },
    h("div", { class: "row spread" }, h("h2", {}, t("home.top")), before),
    table.element,
    empty,
  );
  return {
    element,
    /** @param {Today} today */
    show({ status, daily, standings, before: day }) {
      const rows = standings.slice(0, TOP);
      table.show(rows, account.player?.id);
      table.element.hidden = rows.length === 0;
      empty.textContent = rows.length === 0 && status !== "loading" ? t("home.empty") : "";
      before.hidden = day === null;
      if (day === null) return;
      const isYesterday = daily && Date.parse(daily.date) - Date.parse(day) === DAY_MS;
      before.setAttribute("href", `/daily/${day}`);
      before.textContent = isYesterday
        ? t("home.yesterday")
        : t("day.title", { date: dateText(day) });
    },
  };
}

/** The first thing there is to see: today's deal, and the button that plays it. */

import { go } from "../app.js";
import { tick } from "../parts/clock_view.js";
import { h, replaceChildren } from "../parts/dom.js";
import { textField } from "../parts/fields.js";
import { standingsTable } from "../parts/standings_view.js";
import { problemText } from "../parts/toast.js";
import { account } from "../state/account.js";
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
  let drawn = "";
  const ownLeft = h("b", { class: "hero-left" });
  const day = h("p", { class: "hero-day" }, dateText(new Date().toISOString().slice(0, 10)));
  const action = h("div", { class: "hero-action" });
  const facts = dailyFacts();
  const top = topTen();
  const element = h(
    "section",
    { class: "hero", "aria-labelledby": "hero-title" },
    h(
      "div",
      { class: "hero-play" },
      fan(),
      day,
      h("h1", { id: "hero-title" }, t("home.title")),
      h("p", { class: "hero-what" }, t("home.what")),
      action,
      facts.element,
    ),
    top.element,
  );
  const stop = tick(() => {
    if (!shown) return;
    facts.showTime(shown, now());
    if (shown.endsAt) ownLeft.textContent = clockText(Date.parse(shown.endsAt) - now());
  });
  return {
    element,
    show(today) {
      shown = today;
      if (today.daily) day.textContent = dateText(today.daily.date);
      facts.show(today, now());
      top.show(today);
      const kind = actionKind(today);
      if (drawn === kind) return; // a name that is being typed stays
      drawn = kind;
      replaceChildren(action, actionFor(today, ownLeft));
    },
    close: stop,
  };
}

/** @param {Today} today */
function actionKind({ status, mine }) {
  const me = account.player?.id ?? "";
  return JSON.stringify([status === "none", me, me && (status === "loading" || mine)]);
}

/**
 * @param {Today} today
 * @param {HTMLElement} ownLeft  a clock of my own time, that goes by itself
 * @returns {import("../parts/dom.js").Child}
 */
function actionFor({ status, mine, players }, ownLeft) {
  if (status === "none") {
    return [
      h("p", {}, t("home.none")),
      h("a", { class: "button big", href: "/new" }, t("home.newRace")),
    ];
  }
  if (!account.player) return nameForm();
  if (mine === undefined) return h("div", { class: "skeleton hero-wait", "aria-hidden": "true" });
  if (!mine) return h("a", { class: "button primary big", href: "/daily?join=1" }, t("home.play"));
  if (mine.state === "racing") {
    return [
      h("p", {}, t("home.yourTime"), " ", ownLeft),
      h("a", { class: "button primary big", href: "/daily" }, t("home.goOn")),
    ];
  }
  return [
    h("p", { class: "hero-result" }, t("home.result", { rank: mine.rank, of: players })),
    h("p", {}, resultText(mine)),
    h("a", { class: "button big", href: "/daily" }, t("home.toDaily")),
  ];
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
      maxlength: 20,
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
  const yesterday = h("a", { hidden: true }, t("home.yesterday"));
  const element = h(
    "div",
    { class: "panel hero-top" },
    h("div", { class: "row spread" }, h("h2", {}, t("home.top")), yesterday),
    table.element,
    empty,
  );
  return {
    element,
    /** @param {Today} today */
    show({ status, daily, standings }) {
      const rows = standings.slice(0, TOP);
      table.show(rows, account.player?.id);
      table.element.hidden = rows.length === 0;
      empty.textContent = rows.length === 0 && status !== "loading" ? t("home.empty") : "";
      if (!daily) return;
      const before = new Date(Date.parse(daily.date) - DAY_MS).toISOString().slice(0, 10);
      yesterday.setAttribute("href", `/daily/${before}`);
      yesterday.hidden = false;
    },
  };
}

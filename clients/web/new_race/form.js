/** The form of a new race: short at first, the rest below "More settings". */

import { h } from "../parts/dom.js";
import { checkBox, choice, textField } from "../parts/fields.js";
import { serverTime } from "../state/api.js";
import { t } from "../words/words.js";
import { BOUNDS, localMinute, settle } from "./wish.js";

const QUARTER_MS = 900_000;

/**
 * @typedef {import("./wish.js").Choices} Choices
 * @typedef {import("./wish.js").Typed} Typed
 * @typedef {import("../parts/fields.js").Field} Field
 * @typedef {{fields: Record<Typed, Field>, groups: ReturnType<typeof choiceGroups>,
 *   boxes: ReturnType<typeof checkBoxes>}} Parts
 */

/**
 * Makes the form.
 * @param {Choices} first  what is chosen at first
 * @param {(choices: Choices) => Promise<void>} submit
 */
export function raceForm(first, submit) {
  let choices = { ...first };
  const set = (/** @type {keyof Choices} */ name) => (/** @type {string | boolean} */ value) => {
    choices = { ...choices, [name]: value };
    if (choices.start === "at" && !choices.startAt) {
      choices.startAt = parts.fields.startAt.input.value = soon();
    }
    showChoices(parts, choices);
  };
  const parts = {
    fields: typedFields(choices, set),
    groups: choiceGroups(set),
    boxes: checkBoxes(set),
  };
  const more = moreSettings(parts);
  const button = h("button", { class: "button primary big" }, t("new.go"));
  const fault = h("p", { class: "field-error", role: "alert" });
  const send = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    button.disabled = true; // a double click is one race
    await submit(choices);
    button.disabled = false;
  };
  showChoices(parts, choices);
  return {
    element: h(
      "form",
      { class: "panel new-race", novalidate: true, on: { submit: send } },
      shortForm(parts),
      more,
      fault,
      button,
    ),
    /**
     * Shows what is wrong, and goes to the first such field.
     * @param {Partial<Record<Typed, string>>} faults
     * @param {string} whole  what is wrong with no field in particular
     */
    showFaults(faults, whole = "") {
      fault.textContent = whole;
      const fields = /** @type {[Typed, Field][]} */ (Object.entries(parts.fields));
      for (const [name, field] of fields) field.show(faults[name] ?? "");
      const bad = fields.find(([name]) => faults[name])?.[1];
      if (bad && more.contains(bad.element)) more.open = true;
      bad?.input.focus();
    },
  };
}

/** Gives a time to start at that leaves some to send the link: a quarter of an hour at least. */
function soon() {
  return localMinute(Math.ceil(serverTime() / QUARTER_MS + 1) * QUARTER_MS);
}

/**
 * @param {Parts} parts
 * @param {Choices} choices
 */
function showChoices({ fields, groups, boxes }, choices) {
  const now = settle(choices);
  groups.ruleset.set(now.ruleset, now.offered.ruleset);
  groups.draw.set(now.draw, now.offered.draw);
  groups.deal.set(now.deal);
  groups.start.set(now.start);
  groups.sealed.set(String(now.sealed), now.offered.sealed ? undefined : ["false"]);
  boxes.undo.input.checked = now.undo;
  boxes.undo.input.disabled = !now.offered.undo;
  boxes.listed.input.checked = now.listed;
  fields.code.element.hidden = now.deal !== "code";
  fields.startAt.element.hidden = now.start !== "at";
}

/** @param {Parts} parts */
function shortForm({ fields, groups }) {
  return [
    h("div", { class: "stack close" }, groups.deal.element, fields.code.element),
    groups.ruleset.element,
    groups.draw.element,
    h("div", { class: "stack close" }, groups.start.element, fields.startAt.element),
    fields.title.element,
  ];
}

/** @param {Parts} parts */
function moreSettings({ fields: { seats, minutes, countdown }, groups, boxes }) {
  const numbers = h("div", { class: "numbers" }, [seats, minutes, countdown].map(elementOf));
  const stack = h(
    "div",
    { class: "stack" },
    groups.sealed.element,
    numbers,
    Object.values(boxes).map(elementOf),
  );
  return h("details", { class: "more" }, h("summary", {}, t("new.more")), stack);
}

/** @param {{element: HTMLElement}} part */
const elementOf = ({ element }) => element;

/**
 * @param {Choices} choices
 * @param {(name: Typed) => (value: string) => void} set
 * @returns {Record<Typed, Field>}
 */
function typedFields(choices, set) {
  const make = (
    /** @type {Typed} */ name,
    /** @type {string} */ label,
    /** @type {string} */ hint,
    /** @type {import("../parts/dom.js").Attributes} */ input,
  ) => {
    const on = { input: (/** @type {any} */ { target }) => set(name)(target.value) };
    return textField({
      id: `new-${name}`,
      label,
      hint,
      input: { value: choices[name], ...input, on },
    });
  };
  const whole = (/** @type {keyof typeof BOUNDS} */ name, /** @type {string} */ label) => {
    const [min, max] = BOUNDS[name];
    return make(name, label, "", { type: "number", inputmode: "numeric", step: 1, min, max });
  };
  const code = {
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    maxlength: 40,
  };
  return {
    code: make("code", t("new.codeLabel"), t("new.codeHint"), code),
    startAt: make("startAt", t("new.startTime"), t("new.startTimeHint"), {
      type: "datetime-local",
    }),
    title: make("title", t("new.name"), t("new.nameHint"), { maxlength: 80, autocomplete: "off" }),
    seats: whole("seats", t("new.seats")),
    minutes: whole("minutes", t("new.minutes")),
    countdown: whole("countdown", t("new.countdown")),
  };
}

/** @param {(name: keyof Choices) => (value: string | boolean) => void} set */
function choiceGroups(set) {
  return {
    deal: choice({
      name: "deal",
      legend: t("new.deal"),
      options: [
        { value: "random", text: t("new.random"), more: t("new.randomText") },
        { value: "winnable", text: t("new.winnable"), more: t("new.winnableText") },
        { value: "code", text: t("new.code"), more: t("new.codeText") },
      ],
      change: set("deal"),
    }),
    ruleset: choice({
      name: "ruleset",
      legend: t("new.rules"),
      options: [
        { value: "CF1", text: t("new.cf1"), more: t("new.cf1Text") },
        { value: "CH1", text: t("new.ch1"), more: t("new.ch1Text") },
      ],
      change: set("ruleset"),
    }),
    draw: choice({
      name: "draw",
      legend: t("new.draw"),
      options: [
        { value: "3", text: t("new.draw3") },
        { value: "1", text: t("new.draw1") },
      ],
      change: set("draw"),
    }),
    start: choice({
      name: "start",
      legend: t("new.start"),
      options: [
        { value: "host", text: t("new.startHost") },
        { value: "ready", text: t("new.startReady") },
        { value: "at", text: t("new.startAt") },
      ],
      change: set("start"),
    }),
    sealed: choice({
      name: "sealed",
      legend: t("new.secret"),
      options: [
        { value: "false", text: t("new.open"), more: t("new.openText") },
        { value: "true", text: t("new.sealed"), more: t("new.sealedText") },
      ],
      change: (value) => set("sealed")(value === "true"),
    }),
  };
}

/** @param {(name: keyof Choices) => (value: boolean) => void} set */
function checkBoxes(set) {
  return {
    undo: checkBox({
      name: "undo",
      text: t("new.undo"),
      more: t("new.undoNever"),
      change: set("undo"),
    }),
    listed: checkBox({
      name: "listed",
      text: t("new.listed"),
      more: t("new.listedText"),
      change: set("listed"),
    }),
  };
}

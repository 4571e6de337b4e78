/** The bar below a film: where it is, how fast it goes, and buttons to go through it. */

import { stepPath } from "../parts/chart_scale.js";
import { h, replaceChildren, s } from "../parts/dom.js";
import { clockText, number, t } from "../words/words.js";
import { clockAt, SPEEDS } from "./film.js";

/**
 * @typedef {import("./film.js").Film} Film
 * @typedef {import("./film.js").Speed} Speed
 * @typedef {import("./reel.js").Command} Command
 */

const SUIT = 13; // the curve is at least so high
const ICONS = {
  start: "M6 5h2.5v14H6zM20 5v14L9.5 12z",
  back: "M17 5v14L6 12z",
  play: "M7 4v16l13-8z",
  pause: "M6 5h4.5v14H6zM13.5 5H18v14h-4.5z",
  forward: "M7 5v14l11-7z",
  end: "M15.5 5H18v14h-2.5zM4 5v14l10.5-7z",
};

let bars = 0;

/**
 * Makes a bar.
 * @param {{onCommand: (command: Command) => void}} listeners
 */
export function filmBar({ onCommand }) {
  const slider = h("input", {
    type: "range",
    min: 0,
    "aria-label": t("replay.move"),
    on: { input: () => onCommand(Number(slider.value)) },
  });
  const curve = s("svg", {
    class: "film-curve",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const facts = h("dl", { class: "film-facts" });
  const toggle = button("play", "toggle", onCommand);
  const speeds = speedChoice(() => onCommand("speed"));
  const element = h(
    "div",
    { class: "film-bar" },
    h("div", { class: "film-slider" }, curve, slider),
    h(
      "div",
      { class: "film-row" },
      h(
        "div",
        { class: "film-buttons" },
        button("start", "start", onCommand),
        button("back", "back", onCommand),
        toggle,
        button("forward", "forward", onCommand),
        button("end", "end", onCommand),
      ),
      facts,
      speeds.element,
    ),
  );
  /** @type {Film | undefined} */
  let taken;

  /** @param {Film} film */
  function take(film) {
    taken = film;
    slider.max = String(film.moves.length);
    speeds.offerTrue(film.timesMs.length > 0);
    drawCurve(curve, film);
  }

  return {
    element,
    speed: speeds.chosen,
    /**
     * @param {Film} film
     * @param {number} ply
     * @param {{playing: boolean}} state
     */
    show(film, ply, { playing }) {
      if (film !== taken) take(film);
      slider.value = String(ply);
      const values = { move: ply, moves: film.moves.length, n: film.placed[ply] };
      slider.setAttribute("aria-valuetext", t("replay.atMove", values));
      dressButton(toggle, playing ? "pause" : "play");
      replaceChildren(facts, factsAt(film, ply));
    },
  };
}

/**
 * @param {keyof typeof ICONS} icon
 * @param {Command} command
 * @param {(command: Command) => void} onCommand
 */
function button(icon, command, onCommand) {
  const element = h("button", {
    class: `button film-button ${command}`,
    type: "button",
    on: { click: () => onCommand(command) },
  });
  dressButton(element, icon);
  return element;
}

/**
 * @param {HTMLButtonElement} element
 * @param {keyof typeof ICONS} icon
 */
function dressButton(element, icon) {
  if (element.dataset.icon === icon) return;
  element.dataset.icon = icon;
  element.setAttribute("aria-label", t(`replay.${icon}`));
  replaceChildren(
    element,
    s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: ICONS[icon] })),
  );
}

/** @param {() => void} onChange */
function speedChoice(onChange) {
  const name = `film-speed-${++bars}`;
  const choices = SPEEDS.map((speed) => {
    const input = h("input", { type: "radio", name, value: speed, on: { change: onChange } });
    input.checked = speed === "1";
    return {
      speed,
      input,
      label: h("label", {}, input, h("span", {}, t(`replay.speed.${speed}`))),
    };
  });
  const element = h(
    "fieldset",
    { class: "choices film-speeds" },
    h("legend", { class: "visually-hidden" }, t("replay.speed")),
    choices.map(({ label }) => label),
  );
  return {
    element,
    /** @returns {Speed} */
    chosen: () => choices.find(({ input }) => input.checked)?.speed ?? "1",
    /** @param {boolean} offered */
    offerTrue(offered) {
      const [first, last] = [choices[0], choices[choices.length - 1]];
      last.label.hidden = !offered;
      if (!offered && last.input.checked) first.input.checked = true;
    },
  };
}

/**
 * @param {Film} film
 * @param {number} ply
 */
function factsAt(film, ply) {
  const clock = clockAt(film, ply);
  const isForDollars = film.tables[0].ruleset === "CH1";
  const facts = [
    [t("replay.move"), t("replay.moveOf", { move: ply, moves: film.moves.length })],
    film.timesMs.length > 0 && [t("replay.clock"), clock === null ? "–" : clockText(clock)],
    [t("replay.placed"), number(film.placed[ply])],
    [t(isForDollars ? "replay.dollars" : "replay.points"), number(film.scores[ply])],
  ].filter((fact) => fact !== false);
  return facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)));
}

/**
 * Draws how the placed cards rise along the slider.
 * @param {SVGSVGElement} svg
 * @param {Film} film
 */
function drawCurve(svg, { placed, moves }) {
  const [end, top] = [Math.max(1, moves.length), Math.max(SUIT, ...placed)];
  svg.setAttribute("viewBox", `0 0 ${end} ${top}`);
  const points = placed.map((cards, ply) => /** @type {[number, number]} */ ([ply, cards]));
  const x = (/** @type {number} */ ply) => ply;
  const y = (/** @type {number} */ cards) => top - cards;
  replaceChildren(svg, s("path", { d: `${stepPath(points, { x, y })}V${top}H0z` }));
}

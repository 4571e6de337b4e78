/** A chart of placed cards over time: a stepped line per player, with a legend and a table. */

import { placedAt } from "../state/ghosts.js";
import { clockText, number, t } from "../words/words.js";
import { COLOURS, partLines, scaleOf, stepPath } from "./chart_scale.js";
import { h, replaceChildren, s } from "./dom.js";

/**
 * @typedef {import("./chart_scale.js").Line} Line
 * @typedef {import("./chart_scale.js").Scale} Scale
 * @typedef {{line: Line, look: Look}} Named
 * @typedef {{colour: string, dash: string, marker: string}} Look
 */

const MARGINS = { top: 12, right: 16, bottom: 28, left: 30 };
const TABLE_TIMES = 6;

/** A circle, a square, triangles up and down, a diamond and a cross, around 0. */
const MARKERS = [
  "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
  "M-4-4h8v8h-8z",
  "M0-5.5L5 4H-5z",
  "M0-5.5L5.5 0L0 5.5L-5.5 0z",
  "M0 5.5L5-4H-5z",
  "M-1.8-5.5h3.6v3.7h3.7v3.6h-3.7v3.7h-3.6v-3.7h-3.7v-3.6h3.7z",
];

/**
 * Makes a chart that is as wide as its place.
 * @param {{lines: readonly Line[], limitMs: number}} content  the best line first
 * @returns {HTMLElement}
 */
export function chart({ lines, limitMs }) {
  const { named, rest } = partLines(lines);
  const looks = named.map((line, i) => ({ line, look: lookOf(i) }));
  const svg = s("svg", { role: "img", "aria-label": summary(lines, limitMs) });
  const legend = h("ul", { class: "chart-legend" });
  const element = h(
    "figure",
    { class: "chart" },
    svg,
    legend,
    rest.length > 0 &&
      h("p", { class: "muted small" }, t("results.othersGrey", { n: rest.length })),
    asTable(named, limitMs),
  );
  const light = lighter(element);
  replaceChildren(
    legend,
    looks.map((one, i) => h("li", {}, legendKey(one, i, light))),
  );
  const watcher = new ResizeObserver(() => {
    const width = Math.round(svg.clientWidth);
    if (!width) return;
    draw(svg, { looks, rest, limitMs, width, light });
    light.off(); // what is kept lit stays lit on new lines
  });
  watcher.observe(svg);
  return element;
}

/**
 * @param {number} i
 * @returns {Look}
 */
function lookOf(i) {
  return {
    colour: `var(--chart-${(i % COLOURS) + 1})`,
    dash: i < COLOURS ? "" : "6 4",
    marker: MARKERS[i % COLOURS],
  };
}

/**
 * Lights one line and dims the others: while it is pointed at or focused, or until it is pressed again.
 * @param {HTMLElement} element
 */
function lighter(element) {
  let kept = "";
  const show = (/** @type {string} */ lit) => {
    element.classList.toggle("lit", lit !== "");
    for (const part of element.querySelectorAll("[data-line]")) {
      part.classList.toggle("bright", /** @type {SVGElement} */ (part).dataset.line === lit);
    }
  };
  return {
    on: (/** @type {number} */ i) => show(String(i)),
    off: () => show(kept),
    keep(/** @type {number} */ i) {
      kept = kept === String(i) ? "" : String(i);
      for (const key of element.querySelectorAll("button[data-line]")) {
        key.setAttribute(
          "aria-pressed",
          String(/** @type {HTMLElement} */ (key).dataset.line === kept),
        );
      }
      show(kept);
    },
  };
}

/**
 * @param {Named} one
 * @param {number} i
 * @param {ReturnType<typeof lighter>} light
 */
function legendKey({ line, look }, i, light) {
  const [on, off] = [() => light.on(i), () => light.off()];
  const last = line.points.at(-1);
  return h(
    "button",
    {
      class: `chart-key${line.me ? " me" : ""}`,
      type: "button",
      "aria-pressed": "false",
      data: { line: i },
      vars: { "--stroke": look.colour },
      on: { pointerenter: on, pointerleave: off, focus: on, blur: off, click: () => light.keep(i) },
    },
    s(
      "svg",
      { viewBox: "0 0 34 14", width: 34, height: 14, "aria-hidden": "true" },
      s("path", { class: "chart-line", d: "M0 7H34", "stroke-dasharray": look.dash || null }),
      s("path", { class: "chart-marker", d: look.marker, transform: "translate(17 7)" }),
    ),
    h("span", { class: "chart-name" }, line.name),
    line.me && h("span", { class: "chip" }, t("results.you")),
    last && h("span", { class: "muted" }, number(last[1])),
  );
}

/**
 * @param {SVGSVGElement} svg
 * @param {{looks: Named[], rest: Line[], limitMs: number, width: number,
 *   light: ReturnType<typeof lighter>}} content
 */
function draw(svg, { looks, rest, limitMs, width, light }) {
  const height = Math.round(Math.min(420, Math.max(220, width * 0.5)));
  const lines = [...looks.map(({ line }) => line), ...rest];
  const scale = scaleOf(lines, limitMs, { width, height, ...MARGINS });
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const inFront = looks.map((one, i) => namedLine(one, i, { scale, light }));
  const mine = looks.findIndex(({ line }) => line.me);
  if (mine >= 0) inFront.push(...inFront.splice(mine, 1));
  replaceChildren(
    svg,
    axes(scale, { width, height }),
    rest.map(({ points }) => s("path", { class: "chart-line rest", d: stepPath(points, scale) })),
    inFront,
  );
}

/**
 * @param {Scale} scale
 * @param {{width: number, height: number}} size
 */
function axes({ x, y, timeTicks, cardTicks }, { width, height }) {
  const floor = height - MARGINS.bottom;
  return s(
    "g",
    { class: "chart-axes" },
    cardTicks.map((cards) => [
      s("path", { d: `M${MARGINS.left} ${y(cards)}H${width - MARGINS.right}` }),
      s("text", { x: MARGINS.left - 6, y: y(cards) + 4, "text-anchor": "end" }, number(cards)),
    ]),
    timeTicks.map((ms) => [
      s("path", { d: `M${x(ms)} ${floor}v5` }),
      s("text", { x: x(ms), y: floor + 20, "text-anchor": "middle" }, clockText(ms)),
    ]),
  );
}

/**
 * @param {Named} one
 * @param {number} i
 * @param {{scale: Scale, light: ReturnType<typeof lighter>}} context
 */
function namedLine({ line, look }, i, { scale, light }) {
  const d = stepPath(line.points, scale);
  const [ms, placed] = line.points.at(-1) ?? [0, 0];
  return s(
    "g",
    {
      class: line.me ? "me" : "",
      data: { line: i },
      vars: { "--stroke": look.colour },
      on: { pointerenter: () => light.on(i), pointerleave: () => light.off() },
    },
    s("title", {}, line.name),
    s("path", { class: "chart-touch", d }),
    s("path", { class: "chart-line", d, "stroke-dasharray": look.dash || null }),
    s("path", {
      class: "chart-marker",
      d: look.marker,
      transform: `translate(${scale.x(ms)} ${scale.y(placed)})`,
    }),
  );
}

/**
 * @param {readonly Line[]} lines
 * @param {number} limitMs
 */
function summary(lines, limitMs) {
  const { endMs } = scaleOf(lines, limitMs, { width: 1, height: 1, ...MARGINS });
  return t("results.chartLabel", { n: lines.length, time: clockText(endMs) });
}

/**
 * The same as a table: how many cards each had at some times.
 * @param {readonly Line[]} lines
 * @param {number} limitMs
 */
function asTable(lines, limitMs) {
  const scale = scaleOf(lines, limitMs, { width: 64 * TABLE_TIMES, height: 1, ...MARGINS });
  const times = scale.timeTicks.slice(1);
  const { endMs } = scale;
  if (times.at(-1) !== endMs) times.push(endMs);
  return h(
    "details",
    { class: "chart-table" },
    h("summary", {}, t("results.chartTable")),
    h(
      "div",
      { class: "scroll-x", tabindex: 0, role: "group", "aria-label": t("results.chartTable") },
      h(
        "table",
        { class: "list" },
        h("caption", { class: "visually-hidden" }, t("results.chartCaption")),
        h(
          "tr",
          {},
          h("th", { scope: "col", class: "name" }, t("room.player")),
          times.map((ms) => h("th", { scope: "col", class: "number" }, clockText(ms))),
        ),
        lines.map((line) =>
          h(
            "tr",
            { class: line.me ? "me" : "" },
            h("th", { scope: "row", class: "name" }, line.name),
            times.map((ms) => h("td", { class: "number" }, number(placedAt(line, ms)))),
          ),
        ),
      ),
    ),
  );
}

/** A film to watch: the table, and below it a bar to go through the moves step by step or at speed. */

import { createTable } from "../table/table_view.js";
import { changeText } from "../table/words.js";
import { t } from "../words/words.js";
import { h } from "./dom.js";
import { pauseBefore } from "./film.js";
import { filmBar } from "./film_bar.js";

/**
 * @typedef {import("./film.js").Film} Film
 * @typedef {import("./film.js").Speed} Speed
 * @typedef {import("./film_bar.js").Command} Command
 * @typedef {{element: HTMLElement, ply(): number, change(film: Film, ply: number): void,
 *   play(): void, close(): void}} FilmView
 */

/** Up to this speed the cards are seen to move. */
const FASTEST_SEEN = 4;

/**
 * Makes the view of a film.
 * @param {Film} film
 * @param {{ply?: number, label: string}} options  ply: which move it begins at
 * @returns {FilmView}
 */
export function filmView(film, { ply = 0, label }) {
  const table = createTable({ isLive: () => false });
  table.setPlayable(false);
  const bar = filmBar({ onCommand: command });
  const words = h("p", { class: "film-words" });
  const element = h(
    "section",
    { class: "film", "aria-label": label },
    h("div", { class: "film-table" }, table.element),
    h("div", { class: "film-side" }, words, bar.element),
  );
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /**
   * @param {number} next
   * @param {{animate?: boolean}} [how]
   */
  function show(next, { animate = false } = {}) {
    ply = Math.max(0, Math.min(next, film.moves.length));
    table.show(film.tables[ply], { animate });
    words.textContent = wordsAt(film, ply);
    bar.show(film, ply, { playing: timer !== undefined });
  }

  function advance() {
    const speed = bar.speed();
    const animate = speed === "true" || Number(speed) <= FASTEST_SEEN;
    if (ply + 1 < film.moves.length) schedule(ply + 2);
    else timer = undefined;
    show(ply + 1, { animate });
  }

  /** @param {number} next */
  function schedule(next) {
    timer = setTimeout(advance, pauseBefore(film, next, bar.speed()));
  }

  function pause() {
    clearTimeout(timer);
    timer = undefined;
  }

  function play() {
    if (ply === film.moves.length) ply = 0;
    if (film.moves.length) schedule(ply + 1);
    show(ply);
  }

  /** @param {Command} wish */
  function command(wish) {
    const playing = timer !== undefined;
    pause();
    if (wish === "toggle") return playing ? show(ply) : play();
    if (wish === "speed") return playing ? play() : undefined;
    if (typeof wish === "number") return show(wish);
    if (wish === "start" || wish === "end") return show(wish === "start" ? 0 : film.moves.length);
    return show(ply + (wish === "forward" ? 1 : -1), { animate: true });
  }

  const forgetKeys = listenToKeys(element, command);
  bar.take(film);
  show(ply);
  return {
    element,
    ply: () => ply,
    play,
    change(next, at) {
      pause();
      film = next;
      bar.take(film);
      show(at);
    },
    close() {
      pause();
      forgetKeys();
      table.close();
    },
  };
}

/**
 * Says what the last move did, and when.
 * @param {Film} film
 * @param {number} ply
 */
function wordsAt(film, ply) {
  if (ply === 0) return t("replay.opening");
  if (film.moves[ply - 1] === "u") return t("replay.undone");
  return changeText(film.tables[ply - 1], film.tables[ply]);
}

/** @type {Record<string, Command>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end", " ": "toggle" };

/**
 * Takes keys while nothing has the focus, or what has it does not need them.
 * @param {HTMLElement} element
 * @param {(command: Command) => void} onCommand
 * @returns {() => void} stops that
 */
function listenToKeys(element, onCommand) {
  const listener = (/** @type {KeyboardEvent} */ event) => {
    const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    const wish = KEYS[key];
    if (!wish || defaultPrevented || ctrlKey || metaKey || altKey) return;
    if (needsKeys(/** @type {Element} */ (target), key, element)) return;
    event.preventDefault();
    onCommand(wish);
  };
  document.addEventListener("keydown", listener);
  return () => document.removeEventListener("keydown", listener);
}

/**
 * @param {Element} target
 * @param {string} key
 * @param {HTMLElement} element
 */
function needsKeys(target, key, element) {
  const elsewhere = !element.contains(target) && !target.matches("body, main, h1");
  const own = key === " " ? "button, summary, input[type=radio], select" : "input, select";
  return elsewhere || target.matches(own);
}

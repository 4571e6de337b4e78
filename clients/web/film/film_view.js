/** A film to watch: the table, and below it a bar to go through the moves step by step or at speed. */

import { h } from "../parts/dom.js";
import { createTable } from "../table/table_view.js";
import { changeText } from "../table/words.js";
import { t } from "../words/words.js";
import { filmBar } from "./film_bar.js";
import { createReel } from "./reel.js";

/**
 * @typedef {import("./film.js").Film} Film
 * @typedef {import("./reel.js").Command} Command
 * @typedef {{element: HTMLElement, ply(): number, change(film: Film, ply: number): void,
 *   play(): void, close(): void}} FilmView
 */

/**
 * Makes the view of a film.
 * @param {Film} film
 * @param {{ply?: number, label: string}} options  ply: which move it begins at
 * @returns {FilmView}
 */
export function filmView(film, { ply = 0, label }) {
  const table = createTable({ isLive: () => false });
  table.setPlayable(false);
  const bar = filmBar({ onCommand: (command) => reel.take(command) });
  const words = h("p", { class: "film-words" });
  const element = h(
    "section",
    { class: "film", "aria-label": label },
    h("div", { class: "film-table" }, table.element),
    h("div", { class: "film-side" }, words, bar.element),
  );
  const reel = createReel(film, {
    ply,
    speed: bar.speed,
    onShow(shown, { ply, playing, animate }) {
      table.show(shown.tables[ply], { animate });
      words.textContent = wordsAt(shown, ply);
      bar.show(shown, ply, { playing });
    },
  });
  const forgetKeys = listenToKeys(element, reel.take);
  reel.show(ply);
  return {
    element,
    ply: reel.ply,
    play: reel.play,
    change: reel.change,
    close() {
      reel.pause();
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

/** The table people play on: shows any table at any size, and takes taps, drags and keys. */

import { h } from "../parts/dom.js";
import { say } from "../parts/toast.js";
import { isWon } from "../rules/table.js";
import { preferences } from "../state/preferences.js";
import { t } from "../words/words.js";
import { createCards } from "./card_views.js";
import { pointerHands, showHand, takeKey, takePress } from "./hands.js";
import { keepHeld } from "./keyboard.js";
import { listenToKeys } from "./keys.js";
import { cardsOf, layOut } from "./layout.js";
import { createPiles } from "./pile_views.js";
import { listenToPointers } from "./pointer.js";
import { changeText, refusalText } from "./words.js";

/**
 * @typedef {import("../rules/moves.js").Refusal} Refusal
 * @typedef {import("../rules/table.js").Table} Table
 * @typedef {import("./hands.js").Stage} Stage
 *
 * What the page does about a move, about one that the rules forbid (if it does nothing, the table
 * shows why), and about an undo. `isLive` says whether keys pressed while nothing has the focus
 * mean this table.
 * @typedef {{onMove?: (move: string) => void, onRefusal?: (refusal: Refusal) => void,
 *   onUndo?: () => void, isLive?: () => boolean}} Listeners
 *
 * How to show a table: whether the change is to be watched and told, how many moves the server has
 * yet to confirm, and what the table is called.
 * @typedef {{animate?: boolean, pending?: number, label?: string}} How
 */

const HINT_MS = 4500;

/**
 * Makes a table; it is as large as the box it is put into.
 * @param {Listeners} [listeners]
 */
export function createTable({ onMove, onRefusal, onUndo, isLive } = {}) {
  const hint = createHint();
  /** @type {Stage} */
  const stage = {
    cards: createCards(),
    piles: createPiles(),
    table: null,
    layout: null,
    playable: true,
    hand: { focus: "stock", held: null },
    carried: null,
    onMove: onMove ?? (() => {}),
    onRefusal: onRefusal ?? hint.show,
    onUndo: onUndo ?? (() => {}),
  };
  const { slots, buttons } = stage.piles;
  const layers = [slots, stage.cards.element, buttons, hint.element];
  const keys = h("p", { id: "table-keys", class: "visually-hidden" }, t("table.keys"));
  const element = h(
    "div",
    {
      class: "table",
      role: "application",
      "aria-label": t("table.name"),
      "aria-describedby": keys.id,
    },
    layers,
    keys,
  );
  const paint = painter(stage, element);
  const stop = listen(stage, element, { paint, isLive: isLive ?? (() => true) });

  return {
    element,
    /**
     * Shows a table.
     * @param {Table} table
     * @param {How} [how]
     */
    show(table, { animate = true, pending = 0, label } = {}) {
      const before = stage.table;
      if (!staysPut(before, table, stage.carried)) stop.drag();
      stage.table = table;
      if (label) element.setAttribute("aria-label", label);
      if (before !== table) stage.hand = keepHeld(stage.hand, table);
      paint({ animate, pending: pending > 0 });
      const text = animate && before ? changeText(before, table) : "";
      if (text) say(text);
    },
    /**
     * Says whether the table takes moves or is only looked at.
     * @param {boolean} playable
     */
    setPlayable(playable) {
      stage.playable = playable;
      element.dataset.playable = String(playable);
      if (playable) element.setAttribute("aria-describedby", keys.id);
      else element.removeAttribute("aria-describedby");
    },
    /** Shows why a move is refused. */
    hint: hint.show,
    /** Ends all listening. */
    close() {
      stop.all();
      hint.close();
    },
  };
}

/**
 * Gives what draws a stage into its box. A table shown before the box has a size is drawn, and
 * dealt if that was asked for, as soon as it has one.
 * @param {Stage} stage
 * @param {HTMLElement} element
 */
function painter(stage, element) {
  let how = { animate: false, pending: false };
  let drawn = false;

  /** @param {Partial<typeof how>} [change] */
  return function paint(change) {
    const { table, cards, piles } = stage;
    const box = { width: element.clientWidth, height: element.clientHeight };
    how = { ...how, ...change };
    if (!table || !box.width || !box.height) return;
    const layout = layOut(table, box);
    const moves = how.animate && (Boolean(change) || !drawn) && preferences.moves();
    element.style.setProperty("--card-width", `${layout.fit.card.width}px`);
    element.style.setProperty("--card-height", `${layout.fit.card.height}px`);
    element.dataset.arrangement = layout.fit.arrangement.name;
    element.dataset.colours = preferences.get("fourColours") ? "four" : "two";
    element.dataset.won = String(isWon(table));
    stage.layout = layout;
    cards.update(table, layout, { moves, pending: how.pending });
    piles.update(table, layout);
    showHand(stage);
    drawn = true;
  };
}

/**
 * @param {Stage} stage
 * @param {HTMLElement} element
 * @param {{paint: () => void, isLive: () => boolean}} hands
 */
function listen(stage, element, { paint, isLive }) {
  const sizes = new ResizeObserver(() => paint());
  const pointers = listenToPointers(element, pointerHands(stage));
  const stopKeys = listenToKeys(element, {
    wanted: isLive,
    press: (key) => (key.key === "Escape" && pointers.cancel()) || takeKey(stage, key),
  });
  const stopPreferences = preferences.onChange(() => {
    stage.cards.redraw();
    stage.piles.redraw();
    paint();
  });
  listenToButtons(stage, element);
  sizes.observe(element);
  return {
    drag: () => void pointers.cancel(),
    all() {
      sizes.disconnect();
      pointers.close();
      stopKeys();
      stopPreferences();
    },
  };
}

/**
 * @param {Stage} stage
 * @param {HTMLElement} element
 */
function listenToButtons(stage, element) {
  let pointed = false;
  element.addEventListener("pointerdown", () => (pointed = true));
  element.addEventListener("click", ({ target }) => {
    const pile = stage.piles.pileOf(target);
    if (pile && !pointed) takePress(stage, pile);
    pointed = false;
  });
  element.addEventListener("focusin", ({ target }) => {
    const pile = stage.piles.pileOf(target);
    if (!pile) return;
    stage.hand = { ...stage.hand, focus: pile };
    stage.piles.mark(stage.hand);
  });
}

/**
 * Whether the cards that are carried lie in both tables alike.
 * @param {Table | null} before
 * @param {Table} after
 * @param {Stage["carried"]} source
 */
function staysPut(before, after, source) {
  if (!before || !source) return true;
  const [was, is] = [before, after].map((table) => cardsOf(table, source.pile));
  return (
    was.length === is.length && was.slice(-source.count).join() === is.slice(-source.count).join()
  );
}

/** Makes the line that says for a while why a move is refused. */
function createHint() {
  const element = h("p", { class: "table-hint", "aria-hidden": "true" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return {
    element,
    /** @param {Refusal} refusal */
    show(refusal) {
      element.textContent = refusalText(refusal);
      clearTimeout(timer);
      timer = setTimeout(() => (element.textContent = ""), HINT_MS);
    },
    close: () => clearTimeout(timer),
  };
}

/** What the player's hands do on the table: tap, carry, put down, by pointer and by keys. */

import { say } from "../parts/toast.js";
import { moveBetween, resolveTap, targets } from "../rules/moves.js";
import { preferences } from "../state/preferences.js";
import { t } from "../words/words.js";
import { nearestPile, neighbour, sourceOf } from "./aim.js";
import { raise } from "./card_views.js";
import { act, letGo, press } from "./keyboard.js";
import { PILES } from "./layout.js";
import { heldText, refusalText } from "./words.js";

/**
 * @typedef {import("../rules/moves.js").Refusal} Refusal
 * @typedef {import("../rules/table.js").Pile} Pile
 * @typedef {import("../rules/table.js").Table} Table
 * @typedef {import("../rules/targets.js").Source} Source
 * @typedef {import("./aim.js").Hit} Hit
 * @typedef {import("./keyboard.js").Hand} Hand
 * @typedef {import("./keyboard.js").Outcome} Outcome
 * @typedef {import("./layout.js").Layout} Layout
 *
 * A table on the screen: its layers, what it shows, what the hands hold, whom to tell.
 * @typedef {{cards: ReturnType<typeof import("./card_views.js").createCards>,
 *   piles: ReturnType<typeof import("./pile_views.js").createPiles>,
 *   table: Table | null, layout: Layout | null, playable: boolean, hand: Hand,
 *   carried: Source | null, onMove: (move: string) => void,
 *   onRefusal: (refusal: Refusal) => void, onUndo: () => void}} Stage
 */

/** A drag that comes back to its pile before it got this far, in card widths, was meant as a tap. */
const TREMBLE = 0.2;

/**
 * Gives what pointers do on a stage.
 * @param {Stage} stage
 * @returns {import("./pointer.js").Hands}
 */
export function pointerHands(stage) {
  return {
    layout: () => (stage.playable ? stage.layout : null),
    tap: (hit) => tap(stage, hit),
    lift: (hit) => lift(stage, hit),
    carry: (dx, dy) => carry(stage, dx, dy),
    drop: (dx, dy) => drop(stage, dx, dy),
    back: () => putBack(stage),
  };
}

/**
 * Takes a key; says whether it meant anything.
 * @param {Stage} stage
 * @param {import("./keyboard.js").Key} key
 */
export function takeKey(stage, key) {
  const { table, layout, hand } = stage;
  if (!table || !layout) return false;
  const steering = key.key.startsWith("Arrow");
  if (!stage.playable && !steering) return false;
  const outcome = press(hand, key, {
    table,
    toColumns: preferences.get("tapToColumn"),
    neighbour: (pile, direction) => neighbour(layout, pile, direction),
  });
  if (outcome) settle(stage, outcome, { focus: true });
  return outcome !== null;
}

/**
 * Takes a press of a pile's button that came from neither pointer nor key: a screen reader's.
 * @param {Stage} stage
 * @param {Pile} pile
 */
export function takePress(stage, pile) {
  const { table, layout, hand } = stage;
  if (!table || !layout || !stage.playable) return;
  const toColumns = preferences.get("tapToColumn");
  const situation = { table, toColumns, neighbour: () => pile };
  settle(stage, act({ ...hand, focus: pile }, pile, situation), { focus: true });
}

/**
 * Shows what the hand holds and where it may go.
 * @param {Stage} stage
 */
export function showHand({ table, hand, cards, piles, carried }) {
  const source = carried ?? hand.held;
  piles.mark(hand);
  piles.light(table && source ? targets(table, source).map(({ pile }) => pile) : [], null);
  if (!hand.held) return;
  for (const element of cards.of(hand.held)) element.classList.add("held");
}

/**
 * @param {Stage} stage
 * @param {Outcome} outcome
 * @param {{focus: boolean}} how
 */
function settle(stage, { hand, move, refusal, undo }, { focus }) {
  const before = stage.hand;
  stage.hand = hand;
  for (const held of before.held ? stage.cards.of(before.held) : []) held.classList.remove("held");
  showHand(stage);
  if (focus && hand.focus !== before.focus) stage.piles.focus(hand.focus);
  if (hand.held && hand.held !== before.held)
    say(heldText(/** @type {Table} */ (stage.table), hand.held));
  if (!hand.held && before.held && !move && !refusal && !undo) say(t("table.letGo"));
  if (refusal) refuse(stage, refusal, before.held ?? { pile: hand.focus, count: 1 });
  if (move) stage.onMove(move);
  if (undo) stage.onUndo();
}

/**
 * @param {Stage} stage
 * @param {Hit} hit
 */
function tap(stage, hit) {
  const table = /** @type {Table} */ (stage.table);
  settle(stage, { hand: letGo({ ...stage.hand, focus: hit.pile }) }, { focus: false });
  send(stage, table, sourceOf(table, hit));
}

/**
 * @param {Stage} stage
 * @param {Table} table
 * @param {Source} source
 */
function send(stage, table, source) {
  const answer = resolveTap(table, source, { toColumns: preferences.get("tapToColumn") });
  if ("move" in answer) stage.onMove(answer.move);
  else refuse(stage, answer.refusal, source);
}

/**
 * @param {Stage} stage
 * @param {Hit} hit
 */
function lift(stage, hit) {
  const { table, cards } = stage;
  if (!table || hit.pile === "stock" || hit.index < 0) return false;
  stage.hand = letGo({ ...stage.hand, focus: hit.pile });
  stage.carried = sourceOf(table, hit);
  cards.of(stage.carried).forEach((element, i) => {
    element.classList.add("carried");
    element.style.setProperty("--lift", String(i));
  });
  showHand(stage);
  return true;
}

/**
 * @param {Stage} stage
 * @param {number} dx
 * @param {number} dy
 */
function carry(stage, dx, dy) {
  const { table, carried, cards, piles } = stage;
  if (!table || !carried) return;
  for (const { style } of cards.of(carried)) {
    style.setProperty("--dx", `${dx}px`);
    style.setProperty("--dy", `${dy}px`);
  }
  const legal = targets(table, carried).map(({ pile }) => pile);
  piles.light(legal, aimOf(stage, dx, dy, legal));
}

/**
 * @param {Stage} stage
 * @param {number} dx
 * @param {number} dy
 */
function drop(stage, dx, dy) {
  const { table, layout, carried } = stage;
  if (!table || !layout || !carried) return;
  const legal = targets(table, carried);
  const aim = aimOf(
    stage,
    dx,
    dy,
    legal.map(({ pile }) => pile),
  );
  const meant = aim ?? aimOf(stage, dx, dy, PILES);
  putBack(stage);
  const move = legal.find(({ pile }) => pile === aim)?.move;
  if (move) return stage.onMove(move);
  const trembled = Math.hypot(dx, dy) < layout.fit.card.width * TREMBLE;
  if (meant === carried.pile && trembled) return send(stage, table, carried);
  if (!meant || meant === carried.pile) return;
  const answer = moveBetween(table, carried, meant);
  if ("refusal" in answer) refuse(stage, answer.refusal, carried);
}

/**
 * The pile that the carried cards would fall on.
 * @param {Stage} stage
 * @param {number} dx
 * @param {number} dy
 * @param {readonly Pile[]} piles
 */
function aimOf({ layout, carried }, dx, dy, piles) {
  if (!layout || !carried) return null;
  const place = layout.places.filter(({ pile }) => pile === carried.pile).at(-carried.count);
  const { width, height } = layout.fit.card;
  if (!place) return null;
  return nearestPile(layout, { x: place.x + dx + width / 2, y: place.y + dy + height / 2 }, piles);
}

/**
 * Lays down what is carried where it came from.
 * @param {Stage} stage
 */
export function putBack(stage) {
  for (const element of stage.carried ? stage.cards.of(stage.carried) : []) {
    element.classList.remove("carried");
    element.style.removeProperty("--dx");
    element.style.removeProperty("--dy");
    raise(element);
  }
  stage.carried = null;
  showHand(stage);
}

/**
 * Shakes the cards that may not go, and says why.
 * @param {Stage} stage
 * @param {Refusal} refusal
 * @param {Source} source
 */
function refuse(stage, refusal, source) {
  for (const { classList, firstElementChild } of stage.cards.of(source)) {
    classList.add("refused");
    const done = () => classList.remove("refused");
    firstElementChild?.addEventListener("animationend", done, { once: true });
  }
  say(refusalText(refusal), { urgent: true });
  stage.onRefusal(refusal);
}

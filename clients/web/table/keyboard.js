/** The table by keys: what is picked up, where it is put down, and the pile that has the focus. */

import { ALL_SUITS } from "../rules/cards.js";
import { runLength } from "../rules/legality.js";
import { isColumn, isFoundation } from "../rules/move_text.js";
import { moveBetween, resolveTap } from "../rules/moves.js";
import { COLUMNS, columnOf } from "../rules/table.js";
import { cardsOf } from "./layout.js";

/**
 * @typedef {import("../rules/legality.js").Refusal} Refusal
 * @typedef {import("../rules/table.js").Pile} Pile
 * @typedef {import("../rules/table.js").Table} Table
 * @typedef {import("./aim.js").Direction} Direction
 *
 * What is picked up; `chosen` says that the player set the count, else any length that fits goes.
 * @typedef {{pile: Pile, count: number, chosen: boolean}} Held
 * @typedef {{focus: Pile, held: Held | null}} Hand
 * @typedef {{table: Table, toColumns: boolean,
 *   neighbour: (pile: Pile, direction: Direction) => Pile}} Situation
 * @typedef {{key: string, shift: boolean, command: boolean}} Key  command: Ctrl or Cmd is held
 *
 * What a key has done; null if it means nothing here.
 * @typedef {{hand: Hand, move?: string, refusal?: Refusal, undo?: boolean}} Outcome
 */

/** @type {Record<string, Direction>} */
const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
/** @type {Record<string, Pile>} */
const LETTERS = { w: "waste", r: "reserve" };

/**
 * Takes a key.
 * @param {Hand} hand
 * @param {Key} key
 * @param {Situation} situation
 * @returns {Outcome | null}
 */
export function press(hand, { key, shift, command }, situation) {
  const letter = key.length === 1 ? key.toLowerCase() : key;
  if (command) return letter === "z" && !shift ? { hand: letGo(hand), undo: true } : null;
  if (key in ARROWS) return steer(hand, ARROWS[key], situation);
  if (key === "Enter" || key === " ") return act(hand, hand.focus, situation);
  if (key === "Escape") return hand.held ? { hand: letGo(hand) } : null;
  if (letter === "u" && !shift) return { hand: letGo(hand), undo: true };
  if (letter === "d" && !shift) return draw(hand, situation);
  const pile = pileOf(letter, shift, hand, situation.table);
  return pile ? act({ ...hand, focus: pile }, pile, situation) : null;
}

/**
 * Picks a pile up, puts what is held down on it, or sends it if it is the one that is held.
 * @param {Hand} hand
 * @param {Pile} pile
 * @param {Situation} situation
 * @returns {Outcome}
 */
export function act(hand, pile, situation) {
  if (hand.held)
    return hand.held.pile === pile ? send(hand, situation) : putDown(hand, pile, situation);
  if (pile === "stock") return draw(hand, situation);
  if (cardsOf(situation.table, pile).length === 0) {
    return { hand, ...resolveTap(situation.table, { pile, count: 1 }, { toColumns: true }) };
  }
  return { hand: { focus: pile, held: { pile, count: 1, chosen: false } } };
}

/**
 * The hand with nothing in it.
 * @param {Hand} hand
 * @returns {Hand}
 */
export function letGo(hand) {
  return { ...hand, held: null };
}

/**
 * What is still held when the table has changed: nothing if its cards are not there any more.
 * @param {Hand} hand
 * @param {Table} table
 * @returns {Hand}
 */
export function keepHeld(hand, table) {
  const { held } = hand;
  if (!held) return hand;
  const most = isColumn(held.pile)
    ? runLength(columnOf(table, held.pile))
    : cardsOf(table, held.pile).length;
  return held.count <= most ? hand : letGo(hand);
}

/**
 * @param {Hand} hand
 * @param {Situation} situation
 * @returns {Outcome}
 */
function draw(hand, { table }) {
  const tap = resolveTap(table, { pile: "stock", count: 1 }, { toColumns: true });
  return { hand: { focus: hand.focus, held: null }, ...tap };
}

/**
 * @param {Hand} hand
 * @param {Situation} situation
 * @returns {Outcome}
 */
function send(hand, { table, toColumns }) {
  const { pile, count } = /** @type {Held} */ (hand.held);
  return { hand: letGo(hand), ...resolveTap(table, { pile, count }, { toColumns }) };
}

/**
 * @param {Hand} hand
 * @param {Pile} target
 * @param {Situation} situation
 * @returns {Outcome}
 */
function putDown(hand, target, { table }) {
  const { pile, count, chosen } = /** @type {Held} */ (hand.held);
  const longest = chosen || !isColumn(pile) ? count : runLength(columnOf(table, pile));
  const answers = Array.from({ length: longest - count + 1 }, (_, more) =>
    moveBetween(table, { pile, count: count + more }, target),
  );
  const answer = answers.find((one) => "move" in one) ?? answers[0];
  return { hand: { focus: "move" in answer ? target : hand.focus, held: null }, ...answer };
}

/**
 * Makes the run that is held longer or shorter, else goes to the next pile.
 * @param {Hand} hand
 * @param {Direction} direction
 * @param {Situation} situation
 * @returns {Outcome}
 */
function steer(hand, direction, { table, neighbour }) {
  const { held, focus } = hand;
  if (held && held.pile === focus && isColumn(focus)) {
    const count = held.count + ({ up: 1, down: -1, left: 0, right: 0 }[direction] ?? 0);
    const fits = count >= 1 && count <= runLength(columnOf(table, focus));
    if (count !== held.count && fits)
      return { hand: { focus, held: { ...held, count, chosen: true } } };
  }
  return { hand: { held, focus: neighbour(focus, direction) } };
}

/**
 * The pile that a letter stands for, as moves are written: `f` is where the held card goes up.
 * @param {string} letter
 * @param {boolean} shift
 * @param {Hand} hand
 * @param {Table} table
 * @returns {Pile | null}
 */
function pileOf(letter, shift, { held }, table) {
  const suit = ALL_SUITS.find((one) => one.toLowerCase() === letter);
  if (suit && shift) return suit;
  if (shift) return null;
  if (letter === "f" && held && !isFoundation(held.pile)) {
    const card = cardsOf(table, held.pile).at(-1);
    return card ? /** @type {Pile} */ (card[1]) : null;
  }
  return LETTERS[letter] ?? COLUMNS.find((column) => column === letter) ?? null;
}

/** Cards in the reader's language: the letters in their corners and their names. */

import { RANKS } from "../rules/cards.js";
import { preferences } from "../state/preferences.js";
import { language } from "./words.js";

/**
 * @typedef {import("../rules/cards.js").Card} Card
 * @typedef {import("../rules/cards.js").Suit} Suit
 * @typedef {import("./words.js").Language} Language
 *
 * What a language calls cards: letters that are not the international ones, ranks from ace to
 * king, suits, and how the two make a name.
 * @typedef {{letters: Record<string, string>, ranks: readonly string[],
 *   suits: Record<Suit, string>, name: string}} Names
 */

/** @type {Record<Language, Names>} */
const NAMES = {
  en: {
    letters: {},
    ranks: "ace two three four five six seven eight nine ten jack queen king".split(" "),
    suits: { C: "clubs", D: "diamonds", H: "hearts", S: "spades" },
    name: "{rank} of {suit}",
  },
  vi: {
    letters: {},
    ranks: "át 2 3 4 5 6 7 8 9 10 bồi đầm già".split(" "),
    suits: { C: "chuồn", D: "rô", H: "cơ", S: "bích" },
    name: "{rank} {suit}",
  },
  hr: {
    letters: {},
    ranks:
      "as dvojka trojka četvorka petica šestica sedmica osmica devetka desetka dečko dama kralj".split(
        " ",
      ),
    suits: { C: "tref", D: "karo", H: "herc", S: "pik" },
    name: "{rank} {suit}",
  },
  sv: {
    letters: { A: "E", J: "Kn", Q: "D" },
    ranks: "ess två tre fyra fem sex sju åtta nio tio knekt dam kung".split(" "),
    suits: { C: "klöver", D: "ruter", H: "hjärter", S: "spader" },
    name: "{suit} {rank}",
  },
};

/**
 * Gives what stands in a card's corner for its rank: `10`, or `Kn` for a Swedish jack.
 * @param {string} rank  as the contract writes it, such as `T`
 * @returns {string}
 */
export function cardLetter(rank) {
  if (rank === "T") return "10";
  if (preferences.get("letters") === "international") return rank;
  return NAMES[language()].letters[rank] ?? rank;
}

/**
 * Gives a card's name as it is said: “seven of hearts”.
 * @param {Card} card
 * @param {Language} [tongue]
 * @returns {string}
 */
export function cardName(card, tongue = language()) {
  const { ranks, suits, name } = NAMES[tongue];
  return name
    .replace("{rank}", ranks[RANKS.indexOf(card[0])])
    .replace("{suit}", suits[/** @type {Suit} */ (card[1])]);
}

/**
 * Gives a suit's name: “hearts”.
 * @param {Suit} suit
 * @param {Language} [tongue]
 * @returns {string}
 */
export function suitName(suit, tongue = language()) {
  return NAMES[tongue].suits[suit];
}

/**
 * Gives a rank's name: “seven”.
 * @param {string} rank  as the contract writes it
 * @param {Language} [tongue]
 * @returns {string}
 */
export function rankName(rank, tongue = language()) {
  return NAMES[tongue].ranks[RANKS.indexOf(rank)];
}

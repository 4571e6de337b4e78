/** The published vectors, and the tables they speak of. */
import { readFileSync } from "node:fs";

import { freezeTable, tableFromDeal } from "../../../../clients/web/rules/table.js";

const FOLDER = new URL("../../../vectors/", import.meta.url);

/** A file of tests/vectors. */
export function vectors(name) {
  return JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
}

const DECKS = new Map(vectors("deals.json").map(({ letters, deck }) => [letters, deck]));

/** What GET /deals/{code} gives of a code, as far as the page reads it. */
export function aDeal(code) {
  const [ruleset, draw, letters] = code.split("-");
  return aDealOf(DECKS.get(letters), `${ruleset}-${draw}`);
}

/** A deck laid out by rules D1 and D2; `variant` as "CF1-D3". */
export function aDealOf(deck, variant) {
  const [ruleset, draw] = variant.split("-D");
  return {
    ruleset,
    draw: Number(draw),
    base: deck[13][0],
    reserve: deck.slice(0, 13),
    columns: deck.slice(14, 18).map((card) => [card]),
    stock: deck.slice(18),
    foundations: { C: 0, D: 0, H: 0, S: 0, [deck[13][1]]: 1 },
  };
}

/** The opening table of a code, every card known. */
export function aTable(code) {
  return tableFromDeal(aDeal(code));
}

/** A table from a few piles; what is left out is empty. */
export function aTableOf(piles) {
  const none = { C: 0, D: 0, H: 0, S: 0 };
  return freezeTable({
    ruleset: "CF1",
    draw: 3,
    base: "7",
    stock: [],
    waste: [],
    reserve: [],
    ...piles,
    columns: [0, 1, 2, 3].map((i) => piles.columns?.[i] ?? []),
    foundations: { ...none, ...piles.foundations },
  });
}

/** What a player sees of a fully known table, as a `game` frame says it. */
export function aViewOf({ base, stock, waste, reserve, columns, foundations }) {
  return {
    base,
    stock_count: stock.length,
    waste,
    reserve_count: reserve.length,
    reserve_top: reserve.at(-1) ?? null,
    columns,
    foundations,
  };
}

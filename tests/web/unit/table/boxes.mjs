/** The boxes a table has to fit into, and tables that are hard to fit. */
import { aTable, aTableOf } from "../rules/vectors.mjs";

/** Screens without what the page has around the table, by name. */
export const BOXES = {
  "a phone of 360 px": { width: 360, height: 540 },
  "a phone of 360 px with edges and a bar": { width: 344, height: 470 },
  "a phone of 320 px": { width: 320, height: 460 },
  "a large phone": { width: 390, height: 740 },
  "a phone on its side": { width: 740, height: 312 },
  "a large phone on its side": { width: 844, height: 346 },
  "a tablet": { width: 768, height: 950 },
  "a laptop": { width: 1280, height: 740 },
  "a laptop with a panel": { width: 940, height: 740 },
  "a desk": { width: 2560, height: 1380 },
  "a 4K screen": { width: 3840, height: 2100 },
};

const RANKS = "KQJT98765432A";

/** A column of so many cards, each of them another one. */
export function aColumn(count) {
  const suits = (i) => (i < RANKS.length ? "SH" : "CD")[i % 2];
  return Array.from({ length: count }, (_, i) => RANKS[i % RANKS.length] + suits(i));
}

/** Tables by name: as dealt, in the middle, with long columns, with nothing in most piles. */
export const TABLES = {
  dealt: aTable("CF1-D3-AAAAACL"),
  "a long column": aTableOf({ columns: [["2C"], ["3C"], ["4C"], aColumn(18)] }),
  "full piles": aTableOf({
    columns: [aColumn(18), ["AC"], [], []],
    stock: new Array(20).fill(null),
    waste: ["2C", "3C", "4C", "5C", "6C", "7C", "8C"],
    reserve: [...new Array(5).fill(null), "TC"],
  }),
  won: aTableOf({ foundations: { C: 13, D: 13, H: 13, S: 13 } }),
};

/** Which card on the table is which card of the table before, and where a new one comes from. */

/**
 * @typedef {import("../rules/table.js").Pile} Pile
 * @typedef {import("../rules/table.js").Table} Table
 * @typedef {import("./layout.js").Place} Place
 */

/**
 * Finds for each place the card that lay somewhere before: the same card, or one that nobody knew
 * in the same place of the same pile.
 * @param {readonly Place[]} before
 * @param {readonly Place[]} after
 * @returns {number[]}  indexes into `before`, -1 for a card that was not shown
 */
export function matchPlaces(before, after) {
  const known = new Map();
  const unknown = new Map();
  before.forEach((place, i) => {
    if (place.card) known.set(place.card, i);
    else unknown.set(`${place.pile}:${place.index}`, i);
  });
  return after.map(({ card, pile, index }) => {
    const spot = `${pile}:${index}`;
    const found = (card && known.get(card)) ?? unknown.get(spot) ?? -1;
    unknown.delete(spot);
    return found;
  });
}

/**
 * Says out of which pile a card comes that was not shown before; null if it just is there.
 * @param {Table | null} before
 * @param {Table} after
 * @param {Pile} pile  where it lies now
 * @returns {Pile | null}
 */
export function originOf(before, after, pile) {
  if (!before) return pile === "stock" ? null : "stock";
  const drawn = after.stock.length < before.stock.length;
  const turned = !before.stock.length && after.stock.length > 0 && !after.waste.length;
  if (pile === "waste") return drawn ? "stock" : null;
  if (pile === "stock") return turned ? "waste" : null;
  return pile !== "reserve" && after.reserve.length < before.reserve.length ? "reserve" : null;
}

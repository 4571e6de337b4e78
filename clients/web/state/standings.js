/** Who is ahead: what is heard of each player put together, and ranked by the four keys. */

/**
 * @typedef {import("../wire/types.js").Entry} Entry
 * @typedef {import("../wire/types.js").Standing} Standing
 */

const WAITING = new Set(["joined", "ready"]);
const ENDED = new Set(["won", "resigned", "out_of_time"]);

/**
 * Tells whether somebody's game is over.
 * @param {string} state
 */
export function hasEnded(state) {
  return ENDED.has(state);
}

/**
 * Ranks entries, best first: won, more placed, earlier, fewer actions. Equals share a rank.
 * @template {Entry} E
 * @param {readonly E[]} entries
 * @returns {(E & {rank: number})[]}
 */
export function rankStandings(entries) {
  const inOrder = [...entries].sort(compare);
  let rank = 1;
  return inOrder.map((entry, place) => {
    if (place > 0 && compare(inOrder[place - 1], entry) !== 0) rank = place + 1;
    return { ...entry, rank };
  });
}

/**
 * Puts newer entries among those known: of two about one player the one further on holds.
 * @param {readonly Entry[]} known
 * @param {readonly Entry[]} changed
 * @returns {Entry[]}
 */
export function mergeStandings(known, changed) {
  const byPlayer = new Map(known.map((entry) => [entry.player.id, entry]));
  for (const entry of changed) {
    const before = byPlayer.get(entry.player.id);
    if (!before || isAsFar(entry, before)) byPlayer.set(entry.player.id, entry);
  }
  return [...byPlayer.values()];
}

/**
 * @param {Entry} one
 * @param {Entry} other
 */
function compare(one, other) {
  return (
    Number(other.state === "won") - Number(one.state === "won") ||
    other.placed - one.placed ||
    one.at_ms - other.at_ms ||
    one.actions - other.actions
  );
}

/**
 * Compares by actions, then by how far the game has got: an end is final.
 * @param {Entry} one
 * @param {Entry} other
 */
function isAsFar(one, other) {
  if (one.actions !== other.actions) return one.actions > other.actions;
  return phase(one) >= phase(other);
}

/** @param {Entry} entry */
function phase({ state }) {
  return WAITING.has(state) ? 0 : hasEnded(state) ? 2 : 1;
}

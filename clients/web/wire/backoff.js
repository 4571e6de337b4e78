/** How long to wait before trying again: longer each time, and by chance. */

const FIRST_MS = 250;
const MOST_MS = 10_000;

/**
 * Gives the milliseconds before the next try, between a quarter of a second and ten seconds.
 * @param {number} tries  how many have failed, from 1 on
 * @param {() => number} chance  from 0 up to, not including, 1
 */
export function backoffMs(tries, chance) {
  const cap = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(tries, 16));
  return FIRST_MS + chance() * (cap - FIRST_MS);
}

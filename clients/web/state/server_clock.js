/**
 * The server's time, told from its frames: what counts is never this machine's wall clock. `nowMs`
 * is everywhere a number of a monotonic clock, as `performance.now()` gives.
 */

/** @typedef {{aheadMs: number, roundTripMs: number}} ServerClock  ahead of the monotonic clock */

/**
 * Reads an instant of the API as milliseconds since 1970.
 * @param {string} instant
 */
export function msOf(instant) {
  return Date.parse(instant);
}

/**
 * Takes the server's time from a frame that came unasked: it is older than that by its journey.
 * @param {string} serverTime
 * @param {number} nowMs
 * @returns {ServerClock}
 */
export function readClock(serverTime, nowMs) {
  return { aheadMs: msOf(serverTime) - nowMs, roundTripMs: Infinity };
}

/**
 * Takes the server's time from a pong, halfway between asking and hearing. The shorter the
 * journey the better; a clock that cannot be right any more (the machine has slept) is given up.
 * @param {ServerClock | null} known
 * @param {{serverTime: string, sentMs: number, nowMs: number}} pong
 * @returns {ServerClock}
 */
export function tuneClock(known, { serverTime, sentMs, nowMs }) {
  const roundTripMs = nowMs - sentMs;
  const heard = { aheadMs: msOf(serverTime) + roundTripMs / 2 - nowMs, roundTripMs };
  if (!known || roundTripMs <= known.roundTripMs) return heard;
  const apartMs = Math.abs(heard.aheadMs - known.aheadMs);
  return apartMs > (heard.roundTripMs + known.roundTripMs) / 2 ? heard : known;
}

/** The API as this browser's player calls it. */

import { createCalls } from "../wire/calls.js";
import { account } from "./account.js";

export { Problem } from "../wire/calls.js";

/** @type {number | null} */
let aheadMs = null; // of the server's clock, before the browser's monotonic one

/** The calls, each with the token of the browser's player, where there is one. */
export const api = createCalls({
  fetch: (...request) => fetch(...request),
  token: () => account.token,
  onUnauthorized: (token) => account.revoked(token),
  onDate: (date) => (aheadMs = Date.parse(date) - performance.now()),
});

/** Gives the server's time, in milliseconds since 1970, to a second; before any answer the browser's. */
export function serverTime() {
  return aheadMs === null ? Date.now() : performance.now() + aheadMs;
}

/** Gives a key that nobody else has, for `Idempotency-Key`: works without a secure context. */
export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Writes a path with whatever text in its parts: pathOf("/players", name), and a query.
 * @param {string} start
 * @param {string[]} parts
 */
export function pathOf(start, ...parts) {
  return [start, ...parts.map((part) => encodeURIComponent(part))].join("/");
}

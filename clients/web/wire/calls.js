/**
 * REST calls: JSON in and out, refusals as `Problem`, repeated where repeating is safe. What the
 * browser gives (fetch, waiting, chance) and whose token goes along are arguments.
 */

import { backoffMs } from "./backoff.js";

const BASE = "/api/v1";
const MOST_TRIES = 4;
const LONGEST_WAIT_S = 5;
const TIMEOUT_MS = 15_000;

/** What would be made twice, if it were asked for again without a key. */
const ONCE = new Set(["/players", "/rooms", "/players/me/tokens"]);
const AWAY = new Set([502, 503, 504]);

/** Why a call was refused; `code` is what to decide by. */
export class Problem extends Error {
  /**
   * @param {{code: string, status?: number, detail?: string, pointer?: string, state?: string,
   *   retryAfterS?: number}} about
   */
  constructor({ code, status = 0, detail = "", pointer, state, retryAfterS }) {
    super(detail || code);
    this.name = "Problem";
    this.code = code;
    this.status = status;
    this.detail = detail;
    this.pointer = pointer;
    this.state = state;
    this.retryAfterS = retryAfterS;
  }
}

/**
 * @typedef {object} CallOptions
 * @property {string} [idempotencyKey]
 * @property {string} [token]  another than one's own
 * @property {AbortSignal} [signal]  what it throws when it fires is passed on as it is
 *
 * @typedef {object} Needs
 * @property {typeof globalThis.fetch} fetch
 * @property {() => string | null} token
 * @property {(token: string) => void} onUnauthorized  the token was refused: it is revoked
 * @property {(date: string) => void} [onDate]  what the server's clock showed, as HTTP writes it
 * @property {(ms: number) => Promise<void>} [sleep]
 * @property {() => number} [chance]
 */

/**
 * Gives the calls of the API; paths are below `/api/v1`, answers are what the server sent.
 * @param {Needs} needs
 */
export function createCalls(needs) {
  const call =
    (/** @type {string} */ method) =>
    /**
     * @param {string} path
     * @param {unknown} [body]
     * @param {CallOptions} [options]
     * @returns {Promise<any>}
     */
    (path, body, options = {}) =>
      answer(needs, { method, path, body, options });
  const get = call("GET");
  return {
    get: (/** @type {string} */ path, /** @type {CallOptions} */ options = {}) =>
      get(path, undefined, options),
    post: call("POST"),
    patch: call("PATCH"),
    del: call("DELETE"),
  };
}

/** @typedef {ReturnType<typeof createCalls>} Calls */

/**
 * @typedef {{method: string, path: string, body: unknown, options: CallOptions}} Request
 * @param {Needs} needs
 * @param {Request} request
 */
async function answer(needs, request) {
  const { sleep = pause, chance = Math.random } = needs;
  const own = needs.token();
  let token = request.options.token ?? own;
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(needs, request, token);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.code === "unauthorized" && token !== null && token === own) {
        needs.onUnauthorized(token);
        if (request.method !== "GET") throw problem;
        token = null; // what is public is shown to everyone
        continue;
      }
      if (tries >= MOST_TRIES || !mayRepeat(request, problem)) throw problem;
      await sleep(Math.max(backoffMs(tries, chance), (problem.retryAfterS ?? 0) * 1000));
      request.options.signal?.throwIfAborted();
    }
  }
}

/**
 * @param {Request} request
 * @param {Problem} problem
 */
function mayRepeat({ method, path, options }, problem) {
  const twice = method === "POST" && ONCE.has(path) && options.idempotencyKey === undefined;
  const passes = problem.code === "unavailable" || problem.code === "offline";
  return passes && !twice && (problem.retryAfterS ?? 0) <= LONGEST_WAIT_S;
}

/**
 * @param {Needs} needs
 * @param {Request} request
 * @param {string | null} token
 */
async function send({ fetch, onDate }, { method, path, body, options }, token) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  if (options.idempotencyKey !== undefined) headers["Idempotency-Key"] = options.idempotencyKey;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const text = body === undefined ? undefined : JSON.stringify(body);
  try {
    const response = await fetch(BASE + path, { method, headers, body: text, signal });
    const date = response.headers.get("Date");
    if (date !== null) onDate?.(date);
    if (!response.ok) throw await problemOf(response);
    return response.status === 204 ? null : await response.json();
  } catch (error) {
    options.signal?.throwIfAborted();
    // Also an answer that is not JSON: a network that asks for a login first sends its own page.
    throw error instanceof Problem ? error : new Problem({ code: "offline" });
  }
}

/**
 * @param {Response} response
 * @returns {Promise<Problem>}
 */
async function problemOf(response) {
  const { status } = response;
  const retryAfterS = Number(response.headers.get("Retry-After")) || undefined;
  try {
    const { code, detail, pointer, state } = await response.json();
    if (typeof code === "string") {
      return new Problem({ code, status, detail, pointer, state, retryAfterS });
    }
  } catch {
    // Not from the server itself but from a proxy before it.
  }
  const code = AWAY.has(status) ? "unavailable" : status === 404 ? "not_found" : "server_fault";
  return new Problem({ code, status, retryAfterS });
}

/** @param {number} ms */
function pause(ms) {
  return /** @type {Promise<void>} */ (new Promise((resolve) => setTimeout(resolve, ms)));
}

/**
 * A room's live socket, kept open: it comes back after a lost connection, unless the server says
 * not to. What is sent again, and since when, the state knows.
 */

import { backoffMs } from "./backoff.js";
import { openConnection } from "./connection.js";
import { browserWorld } from "./world.js";

/**
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").ClientFrame} ClientFrame
 * @typedef {import("./types.js").Since} Since
 * @typedef {import("./world.js").World} World
 *
 * @typedef {"connecting" | "open" | "waiting" | "replaced" | "gone" | "refused"} LiveStatus
 *   waiting: for the next try; replaced: the player plays on a newer socket; gone: there is no such
 *   room; refused: the token, or what was sent. After the last three it does not come back.
 *
 * @typedef {object} LiveOptions
 * @property {string | null} token
 * @property {(frame: Frame) => void} onFrame
 * @property {(status: LiveStatus, closeCode?: number) => void} onStatus  it is "connecting" at
 *   first; the code is why it was closed, where it was
 * @property {() => Since | undefined} since
 * @property {World} [world]
 *
 * @typedef {object} Live
 * @property {(frame: ClientFrame) => void} send  lost while the connection is
 * @property {() => void} probe  finds out at once whether the connection is alive
 * @property {(token: string | null) => void} reopen  as somebody else, or to take over again
 * @property {() => void} close
 *
 * @typedef {LiveOptions & {world: World, url: string, status: LiveStatus, tries: number,
 *   connection: import("./connection.js").Connection | null, cancelRetry: () => void}} Kept
 */

/** @type {Record<number, LiveStatus>} Those that one does not come back after by oneself. */
const FINAL = { 1009: "refused", 4400: "refused", 4401: "refused", 4404: "gone", 4409: "replaced" };

const FINAL_STATUSES = new Set(Object.values(FINAL));

/**
 * Opens a room's socket and keeps it open.
 * @param {string} roomId
 * @param {LiveOptions} options
 * @returns {Live}
 */
export function openLive(roomId, options) {
  const { world = browserWorld() } = options;
  /** @type {Kept} */
  const kept = {
    ...options,
    world,
    url: world.socketUrl(`/api/v1/rooms/${encodeURIComponent(roomId)}/live`),
    status: "connecting",
    connection: null,
    tries: 0,
    cancelRetry: () => {},
  };
  const offWake = world.onWake(() => wake(kept));
  connect(kept);
  return {
    send: (frame) => kept.connection?.send(frame),
    probe: () => kept.connection?.probe(),
    reopen(token) {
      kept.token = token;
      kept.tries = 0;
      become(kept, "connecting");
      connect(kept);
    },
    close() {
      offWake();
      kept.cancelRetry();
      kept.connection?.close();
      kept.connection = null;
    },
  };
}

/** @param {Kept} kept */
function connect(kept) {
  kept.cancelRetry();
  kept.connection?.close();
  kept.connection = openConnection(kept.world, kept.url, {
    hello: () => ({ type: "hello", token: kept.token ?? undefined, since: kept.since() }),
    onWelcome: () => become(kept, "open"),
    onAlive() {
      kept.tries = 0;
    },
    onFrame: kept.onFrame,
    onEnd: (code, retryAfterMs) => ended(kept, code, retryAfterMs),
  });
}

/**
 * @param {Kept} kept
 * @param {number} code
 * @param {number} retryAfterMs
 */
function ended(kept, code, retryAfterMs) {
  kept.connection = null;
  const final = FINAL[code];
  if (!final) {
    kept.tries += 1;
    const waitMs = Math.max(backoffMs(kept.tries, kept.world.chance), retryAfterMs);
    kept.cancelRetry = kept.world.after(waitMs, () => connect(kept));
  }
  become(kept, final ?? "waiting", code);
}

/**
 * The network or the tab is back: an open connection shows whether it is, a lost one is made.
 * @param {Kept} kept
 */
function wake(kept) {
  if (FINAL_STATUSES.has(kept.status)) return;
  if (kept.status === "open") {
    kept.connection?.probe();
    return;
  }
  kept.tries = 0;
  if (!kept.connection || kept.connection.isStuck()) connect(kept);
}

/**
 * @param {Kept} kept
 * @param {LiveStatus} status
 * @param {number} [closeCode]
 */
function become(kept, status, closeCode) {
  if (kept.status === status) return;
  kept.status = status;
  kept.onStatus(status, closeCode);
}

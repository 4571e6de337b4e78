/**
 * A room's live socket: says hello, passes frames on, notices a dead connection, and comes back
 * after a lost one. What is sent again, and since when, the state knows.
 */

import { backoffMs } from "./backoff.js";
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
 * @property {(token: string | null) => void} reopen  as somebody else, or to take over again
 * @property {() => void} close
 */

const PING_EVERY_MS = 15_000;
const ANSWER_WITHIN_MS = 10_000;
const BROKEN = 1006;

/** @type {Record<number, LiveStatus>} Those that one does not come back after by oneself. */
const FINAL = { 1009: "refused", 4400: "refused", 4401: "refused", 4404: "gone", 4409: "replaced" };

/**
 * Opens a room's socket and keeps it open.
 * @param {string} roomId
 * @param {LiveOptions} options
 * @returns {Live}
 */
export function openLive(roomId, options) {
  const { onFrame, onStatus, since, world = browserWorld() } = options;
  const url = world.socketUrl(`/api/v1/rooms/${encodeURIComponent(roomId)}/live`);
  let token = options.token;
  let tries = 0;
  /** @type {LiveStatus | "closed"} */
  let status = "connecting";
  /** @type {ReturnType<typeof converse> | null} */
  let connection = null;
  let cancelRetry = () => {};

  /** @type {(next: LiveStatus, closeCode?: number) => void} */
  const become = (next, closeCode) => {
    if (status === next) return;
    status = next;
    onStatus(next, closeCode);
  };
  const connect = () => {
    cancelRetry();
    connection = converse(world, url, {
      hello: () => ({ type: "hello", token: token ?? undefined, since: since() }),
      onWelcome: () => become("open"),
      onAlive: () => (tries = 0),
      onFrame,
      onEnd: ended,
    });
  };
  const ended = (/** @type {number} */ code, /** @type {number} */ retryAfterMs) => {
    connection = null;
    const final = FINAL[code];
    if (final) return become(final, code);
    tries += 1;
    const waitMs = Math.max(backoffMs(tries, world.chance), retryAfterMs);
    cancelRetry = world.after(waitMs, connect);
    become("waiting", code);
  };
  const offWake = world.onWake(() => {
    if (status === "waiting" && !connection) connect();
    else connection?.probe();
  });

  connect();
  return {
    send: (frame) => connection?.send(frame),
    reopen(newToken) {
      token = newToken;
      tries = 0;
      connection?.close();
      become("connecting");
      connect();
    },
    close() {
      status = "closed";
      offWake();
      cancelRetry();
      connection?.close();
      connection = null;
    },
  };
}

/**
 * One connection from its opening to its end.
 * @param {World} world
 * @param {string} url
 * @param {{hello: () => ClientFrame, onWelcome: () => void, onAlive: () => void,
 *   onFrame: (frame: Frame) => void, onEnd: (code: number, retryAfterMs: number) => void}} on
 *   onAlive: it has answered a ping, and not only a hello
 */
function converse(world, url, on) {
  const socket = world.openSocket(url);
  let isOver = false;
  let retryAfterMs = 0;
  let cancelPing = () => {};
  let cancelDeadline = world.after(ANSWER_WITHIN_MS, () => over(BROKEN));

  const send = (/** @type {ClientFrame} */ frame) => {
    if (!isOver && socket.readyState === 1) socket.send(JSON.stringify(frame));
  };
  const close = () => {
    isOver = true;
    cancelPing();
    cancelDeadline();
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  };
  const over = (/** @type {number} */ code) => {
    if (isOver) return;
    close(); // a dead connection takes its time to say so: nobody waits for that
    on.onEnd(code, retryAfterMs);
  };
  const probe = () => {
    if (socket.readyState !== 1) return;
    cancelPing();
    cancelDeadline();
    cancelDeadline = world.after(ANSWER_WITHIN_MS, () => over(BROKEN));
    send({ type: "ping", t: world.now() });
  };
  const take = (/** @type {Frame} */ frame) => {
    if (frame.type === "welcome") {
      on.onWelcome();
      probe(); // the first pong sets the clock
    } else if (frame.type === "pong") {
      cancelDeadline();
      cancelPing();
      cancelPing = world.after(PING_EVERY_MS, probe);
      on.onAlive();
    } else if (frame.type === "error") {
      retryAfterMs = frame.retry_after_ms ?? 0;
    }
    on.onFrame(frame);
  };
  socket.onopen = () => send(on.hello());
  socket.onmessage = ({ data }) => take(JSON.parse(data));
  socket.onclose = ({ code }) => over(code);
  return { send, close, probe };
}

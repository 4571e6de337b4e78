/** One connection of a live socket, from its opening to its end; a dead one is noticed. */

/**
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").ClientFrame} ClientFrame
 * @typedef {import("./world.js").World} World
 *
 * @typedef {object} Listener
 * @property {() => ClientFrame} hello
 * @property {() => void} onWelcome
 * @property {() => void} onAlive  it has answered a ping, and not only a hello
 * @property {(frame: Frame) => void} onFrame
 * @property {(code: number, retryAfterMs: number) => void} onEnd  by itself, not by `close`
 *
 * @typedef {object} Connection
 * @property {(frame: ClientFrame) => void} send  nothing before it is open
 * @property {() => void} close
 * @property {() => void} probe  finds out at once whether it is still alive
 * @property {() => boolean} isStuck  it should have been open by now
 */

const OPEN = 1;
const BROKEN = 1006;
const PING_EVERY_MS = 15_000;
const ANSWER_WITHIN_MS = 10_000;
const PROBED_WITHIN_MS = 5000; // somebody waits for it
const STUCK_MS = 1000; // an attempt from before the network was back may never get anywhere

/**
 * Opens a connection, says hello, and keeps asking whether the other end is there.
 * @param {World} world
 * @param {string} url
 * @param {Listener} listener
 * @returns {Connection}
 */
export function openConnection(world, url, listener) {
  const socket = world.openSocket(url);
  const beganMs = world.now();
  let retryAfterMs = 0;

  const send = (/** @type {ClientFrame} */ frame) => {
    if (socket.readyState === OPEN) socket.send(JSON.stringify(frame));
  };
  const ping = () => send({ type: "ping", t: world.now() });
  const close = () => {
    pulse.stop();
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  };
  const end = (/** @type {number} */ code) => {
    close(); // a dead connection takes its time to say so: nobody waits for that
    listener.onEnd(code, retryAfterMs);
  };
  const pulse = takePulse(world, { ping, onDead: () => end(BROKEN) });

  socket.onopen = () => send(listener.hello());
  socket.onclose = ({ code }) => end(code);
  socket.onmessage = ({ data }) => {
    /** @type {Frame} */
    const frame = JSON.parse(data);
    pulse.alive();
    if (frame.type === "error") retryAfterMs = frame.retry_after_ms ?? 0;
    if (frame.type === "welcome") {
      listener.onWelcome();
      pulse.probe(); // the first pong sets the clock
    }
    if (frame.type === "pong") listener.onAlive();
    listener.onFrame(frame);
  };
  return {
    send,
    close,
    probe: () => pulse.probe(PROBED_WITHIN_MS),
    isStuck: () => world.now() - beganMs > STUCK_MS,
  };
}

/**
 * Pings now and then; dead is who says nothing in time, from the opening on.
 * @param {World} world
 * @param {{ping: () => void, onDead: () => void}} on
 */
function takePulse(world, { ping, onDead }) {
  let cancelPing = () => {};
  let cancelDeadline = () => {};
  let deadAtMs = Infinity;
  const alive = () => {
    cancelDeadline();
    deadAtMs = Infinity;
  };
  const stop = () => {
    cancelPing();
    alive();
  };
  const answerWithin = (/** @type {number} */ ms) => {
    const atMs = world.now() + ms;
    if (atMs >= deadAtMs) return; // asking again gives no more time
    cancelDeadline();
    deadAtMs = atMs;
    cancelDeadline = world.after(ms, onDead);
  };
  const probe = (ms = ANSWER_WITHIN_MS) => {
    cancelPing();
    cancelPing = world.after(PING_EVERY_MS, probe);
    answerWithin(ms);
    ping();
  };
  answerWithin(ANSWER_WITHIN_MS);
  return { probe, alive, stop };
}

/** Chance that comes the same every time: numbers from 0 up to 1 from a seed. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A world whose time passes when it is told to. `accept(socket)` hears of every socket that is
 * opened; what it does is up to the test.
 */
export function aVirtualWorld({ accept, chance = () => 0 }) {
  let nowMs = 0;
  let timers = [];
  const wakes = new Set();
  const after = (ms, what) => {
    const timer = { atMs: nowMs + ms, what };
    timers.push(timer);
    return () => (timers = timers.filter((one) => one !== timer));
  };
  const passUntil = (endMs) => {
    for (;;) {
      const due = timers.filter(({ atMs }) => atMs <= endMs);
      if (!due.length) break;
      const first = due.reduce((one, other) => (other.atMs < one.atMs ? other : one));
      timers = timers.filter((one) => one !== first);
      nowMs = Math.max(nowMs, first.atMs);
      first.what();
    }
    nowMs = endMs;
  };
  return {
    world: {
      socketUrl: (path) => `ws://there${path}`,
      openSocket(url) {
        const socket = aSocket(url);
        accept(socket);
        return socket;
      },
      now: () => nowMs,
      chance,
      after,
      onWake(listener) {
        wakes.add(listener);
        return () => wakes.delete(listener);
      },
    },
    /** Lets time pass. */
    pass: (ms) => passUntil(nowMs + ms),
    /** The network, or the tab, is back. */
    wake() {
      for (const listener of [...wakes]) listener();
    },
    /** How many timers are set. */
    timers: () => timers.length,
    listeners: () => wakes.size,
  };
}

/** A socket of which the test is the other end. */
function aSocket(url) {
  const socket = {
    url,
    readyState: 0,
    sent: [],
    onopen: null,
    onmessage: null,
    onclose: null,
    onSent: () => {},
    isClosed: false,
    send(text) {
      const frame = JSON.parse(text);
      socket.sent.push(frame);
      socket.onSent(frame);
    },
    close() {
      socket.readyState = 3;
      socket.isClosed = true;
    },
    /** The other end is there. */
    opens() {
      socket.readyState = 1;
      socket.onopen?.();
    },
    /** A frame comes from the other end. */
    tells: (frame) => socket.onmessage?.({ data: JSON.stringify(frame) }),
    /** The other end, or the network, ends it. */
    ends(code) {
      socket.readyState = 3;
      socket.onclose?.({ code });
    },
  };
  return socket;
}

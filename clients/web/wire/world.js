/** What a browser gives to who keeps a connection open: sockets, time, chance, waking up. */

/**
 * @typedef {object} World
 * @property {(path: string) => string} socketUrl
 * @property {(url: string) => WebSocket} openSocket
 * @property {() => number} now  milliseconds of a monotonic clock
 * @property {() => number} chance  from 0 up to, not including, 1
 * @property {(ms: number, what: () => void) => () => void} after  gives what calls it off
 * @property {(listener: () => void) => () => void} onWake  the network or the tab is back
 */

/**
 * Gives the browser that the page is in.
 * @returns {World}
 */
export function browserWorld() {
  return {
    socketUrl: (path) => new URL(path, location.href).href.replace(/^http/, "ws"),
    openSocket: (url) => new WebSocket(url),
    now: () => performance.now(),
    chance: Math.random,
    after(ms, what) {
      const timer = setTimeout(what, ms);
      return () => clearTimeout(timer);
    },
    onWake(listener) {
      const shown = () => document.visibilityState === "visible" && listener();
      addEventListener("online", listener);
      addEventListener("pageshow", listener);
      document.addEventListener("visibilitychange", shown);
      return () => {
        removeEventListener("online", listener);
        removeEventListener("pageshow", listener);
        document.removeEventListener("visibilitychange", shown);
      };
    },
  };
}

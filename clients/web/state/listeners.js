/** Listeners, told in the order in which they came. */

/**
 * Gives a list of listeners: `on` adds one and gives what takes it away again.
 * @template {unknown[]} News
 */
export function createListeners() {
  /** @type {Set<(...news: News) => void>} */
  const listeners = new Set();
  return {
    /** @param {(...news: News) => void} listener */
    on(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    /** @param {News} news */
    tell(...news) {
      for (const listener of [...listeners]) listener(...news);
    },
  };
}

/**
 * A value that the browser keeps for this site, in one place of its storage. Where there is no
 * storage (private windows may refuse it) the value lasts as long as the page.
 */

/**
 * @typedef {object} Kept
 * @property {() => unknown} read  null where nothing is kept, or what is kept is damaged
 * @property {(value: unknown) => void} write  null forgets it
 * @property {(listener: () => void) => void} onOtherTab  another tab has written it
 *
 * @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Store
 * @typedef {Pick<EventTarget, "addEventListener">} Events
 */

/**
 * Gives the place with this key.
 * @param {string} key
 * @param {{storage?: () => Store | null, events?: Events | null}} [browser]
 * @returns {Kept}
 */
export function keep(key, browser = {}) {
  const { storage = () => globalThis.localStorage ?? null, events = globalThis } = browser;
  /** @type {string | null} */
  let memory = null;
  const stored = () => attempt(() => storage()?.getItem(key) ?? null) ?? memory;
  return {
    read: () => attempt(() => JSON.parse(stored() ?? "null")),
    write(value) {
      memory = value === null ? null : JSON.stringify(value);
      const text = memory;
      attempt(() => (text === null ? storage()?.removeItem(key) : storage()?.setItem(key, text)));
    },
    onOtherTab(listener) {
      events?.addEventListener?.("storage", (event) => {
        const changed = /** @type {StorageEvent} */ (event).key;
        if (changed !== key && changed !== null) return;
        memory = null; // what the other tab has stored, or cleared, is what holds
        listener();
      });
    },
  };
}

/**
 * @template T
 * @param {() => T} read
 * @returns {T | null} null where the browser does not allow it
 */
function attempt(read) {
  try {
    return read();
  } catch {
    return null;
  }
}

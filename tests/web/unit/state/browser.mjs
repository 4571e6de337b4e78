/** A browser's storage with its events, for tests. */
export function aBrowserStore() {
  const items = new Map();
  const events = new EventTarget();
  const tell = (key) => events.dispatchEvent(Object.assign(new Event("storage"), { key }));
  const storage = {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, text) => void items.set(key, text),
    removeItem: (key) => void items.delete(key),
  };
  return {
    items,
    storage: () => storage,
    events,
    otherTabWrites(key, text) {
      if (text === null) items.delete(key);
      else items.set(key, text);
      tell(key);
    },
    otherTabClears() {
      items.clear();
      tell(null);
    },
  };
}

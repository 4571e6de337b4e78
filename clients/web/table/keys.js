/** Where the table's keys come from: its own buttons, or the page while nothing else has the focus. */

/**
 * Listens to keys that are meant for the table; gives what stops that.
 * @param {HTMLElement} element
 * @param {{wanted: () => boolean, press: (key: import("./keyboard.js").Key) => boolean}} hands
 *   wanted: whether the table takes keys from the page at large; press: says whether it used the key
 */
export function listenToKeys(element, { wanted, press }) {
  const listening = new AbortController();
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      const inside = element.contains(/** @type {Node} */ (event.target));
      if (!inside && !(wanted() && atLarge())) return;
      const command = event.ctrlKey || event.metaKey;
      // Enter and Space mean a button: they need one that has the focus
      if (!inside && (event.key === "Enter" || event.key.startsWith("Arrow"))) return;
      const key = !inside && event.key === " " ? "d" : event.key;
      if (press({ key, shift: event.shiftKey, command })) event.preventDefault();
    },
    { signal: listening.signal },
  );
  return () => listening.abort();
}

/** Whether no control has the focus and no dialog is open. */
function atLarge() {
  const { activeElement } = document;
  const resting =
    !activeElement || activeElement === document.body || activeElement.matches("h1, main");
  return resting && !document.querySelector("dialog[open]");
}

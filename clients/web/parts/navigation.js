/**
 * The ways between our pages, and what a page is. Pages say where to go; `app.js` takes them there.
 *
 * @typedef {Record<string, string>} Params  the parts of a path that have names
 * @typedef {{query: URLSearchParams, signal: AbortSignal}} Visit  signal: one has gone elsewhere
 * @typedef {{title: string, element: HTMLElement, close?: () => void}} Page
 * @typedef {{open(params: Params, visit: Visit): Promise<Page>}} PageModule
 */

/** @type {() => Promise<void>} */
let arrive = async () => {};

/**
 * Says what shows the page of an address, once one has gone there.
 * @param {() => Promise<void>} show
 */
export function onArrival(show) {
  arrive = show;
}

/**
 * Goes to another page of ours.
 * @param {string} path
 * @param {{replace?: boolean}} [options]  replace: the way back leads past this one
 */
export function go(path, { replace = false } = {}) {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  return arrive();
}

/** The page's frame: its paths, the page shown, and what is around it. */

import { h, replaceChildren } from "./parts/dom.js";
import { go, onArrival } from "./parts/navigation.js";
import { problemText, say, toast } from "./parts/toast.js";
import { account } from "./state/account.js";
import { Problem } from "./state/api.js";
import { preferences } from "./state/preferences.js";
import { language, loadLanguage, t } from "./words/words.js";

/**
 * @typedef {import("./parts/navigation.js").Page} Page
 * @typedef {import("./parts/navigation.js").PageModule} PageModule
 */

/** @type {[RegExp, () => Promise<PageModule>][]} */
const PATHS = [
  [/^\/$/, () => import("./pages/home.js")],
  [/^\/new$/, () => import("./pages/new_race.js")],
  [/^\/daily$/, () => import("./pages/daily.js")],
  [/^\/daily\/(?<date>[\d-]+)$/, () => import("./pages/day.js")],
  [/^\/rooms\/(?<room>\w+)$/, () => import("./pages/room.js")],
  [/^\/games\/(?<game>\w+)$/, () => import("./pages/game.js")],
  [/^\/boards(\/(?<board>\w+))?$/, () => import("./pages/boards.js")],
  [/^\/players\/(?<player>\w+)$/, () => import("./pages/player.js")],
  [/^\/settings$/, () => import("./pages/settings.js")],
  [/^\/help$/, () => import("./pages/help.js")],
];

/** @type {Page | undefined} */
let shown;
let leaving = new AbortController();

/** @param {{focus: boolean}} options */
async function showPage({ focus }) {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  main.setAttribute("aria-busy", "true");
  markWhereWeAre();
  const page = await openPage(signal);
  if (signal.aborted) {
    page.close?.();
    return;
  }
  shown?.close?.();
  shown = page;
  replaceChildren(main, page.element);
  main.removeAttribute("aria-busy");
  document.title = page.title === t("app.name") ? page.title : `${page.title} · ${t("app.name")}`;
  if (!focus) return;
  window.scrollTo(0, 0);
  const heading = main.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  (heading ?? main).focus({ preventScroll: true });
  say(page.title);
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<Page>}
 */
async function openPage(signal) {
  const { pathname, search } = location;
  for (const [path, load] of PATHS) {
    const match = path.exec(pathname);
    if (!match) continue;
    try {
      const page = await load();
      return await page.open({ ...match.groups }, { query: new URLSearchParams(search), signal });
    } catch (problem) {
      if (/** @type {any} */ (problem)?.code === "not_found") break;
      if (!signal.aborted) console.error(problem);
      return failedPage(problem);
    }
  }
  return messagePage(t("app.notFound"), t("app.notFoundText"));
}

/**
 * @param {string} title
 * @param {string} text
 * @param {...import("./parts/dom.js").Child} more
 * @returns {Page}
 */
function messagePage(title, text, ...more) {
  const home = h("a", { class: "button primary", href: "/" }, t("app.toHome"));
  const row = h("div", { class: "row" }, home, more);
  return {
    title,
    element: h("div", { class: "page narrow" }, h("h1", {}, title), h("p", {}, text), row),
  };
}

/**
 * @param {unknown} problem
 * @returns {Page}
 */
function failedPage(problem) {
  // A module that could not be fetched stays unfetched until the document is loaded anew.
  const retry =
    problem instanceof Problem ? () => showPage({ focus: true }) : () => location.reload();
  const again = h("button", { class: "button", on: { click: retry } }, t("app.again"));
  const text = problem instanceof TypeError ? t("problem.offline") : problemText(problem);
  return messagePage(t("app.failed"), text, again);
}

/** Fetches the other pages while nothing else is to be done: going there then waits for no file. */
function fetchTheRest() {
  const fetchAll = () => {
    for (const [, load] of PATHS) load().catch(() => {}); // whoever goes there is told
  };
  if ("requestIdleCallback" in window) requestIdleCallback(fetchAll, { timeout: 3000 });
  else setTimeout(fetchAll, 1000);
}

function showFrame() {
  const skip = /** @type {HTMLElement} */ (document.querySelector(".skip"));
  const nav = /** @type {HTMLElement} */ (document.querySelector(".top nav"));
  skip.textContent = t("app.skip");
  nav.setAttribute("aria-label", t("app.menu"));
  replaceChildren(
    nav,
    h("a", { href: "/daily" }, t("app.daily")),
    h("a", { href: "/boards" }, t("app.nav.boards")),
    h("a", { href: "/help" }, t("app.nav.help")),
  );
  showWho();
  markWhereWeAre();
}

function showWho() {
  const who = /** @type {HTMLElement} */ (document.querySelector(".who"));
  replaceChildren(who, account.player?.name ?? t("app.settings"));
  who.setAttribute(
    "aria-label",
    `${t("app.settings")}${account.player ? `, ${account.player.name}` : ""}`,
  );
}

function markWhereWeAre() {
  for (const link of document.querySelectorAll(".top a")) {
    const path = link.getAttribute("href") ?? "";
    const here = path === "/" ? location.pathname === path : location.pathname.startsWith(path);
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {MouseEvent} event */
function followLink(event) {
  const link = /** @type {Element} */ (event.target).closest?.("a");
  const plain =
    event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download"))
    return;
  const { origin, pathname, search, hash } = new URL(link.href);
  if (origin !== location.origin || hash || /^\/(api|openapi|asyncapi|web)\b/.test(pathname))
    return;
  event.preventDefault();
  go(pathname + search);
}

function takeLooks() {
  const { dataset } = document.documentElement;
  const theme = preferences.get("theme");
  if (theme) dataset.theme = theme;
  else delete dataset.theme;
  dataset.moves = String(preferences.moves());
}

async function takePreferences() {
  takeLooks();
  const before = language();
  await loadLanguage();
  if (language() === before) return;
  showFrame();
  await showPage({ focus: false });
}

async function begin() {
  await loadLanguage();
  takeLooks();
  preferences.onChange(takePreferences);
  account.onChange(showWho);
  account.onRevoked(() => toast(t("app.revoked"), { kind: "error" }));
  account.refresh().catch(() => {}); // what is kept here will do until the server answers
  onArrival(() => showPage({ focus: true }));
  document.addEventListener("click", followLink);
  window.addEventListener("popstate", () => showPage({ focus: true }));
  showFrame();
  await showPage({ focus: false });
  fetchTheRest();
}

begin();

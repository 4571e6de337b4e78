/** Races that wait for players, and those that can be watched; kept fresh while they are seen. */

import { raceTitle, startText, variantText } from "../parts/deal_words.js";
import { askName } from "../parts/dialog.js";
import { h, keyed, replaceChildren } from "../parts/dom.js";
import { go } from "../parts/navigation.js";
import { sayProblem } from "../parts/toast.js";
import { account } from "../state/account.js";
import { api } from "../state/api.js";
import { hasEnded } from "../state/standings.js";
import { dateText, t } from "../words/words.js";

const EVERY_MS = 5000;

/** @typedef {import("../wire/types.js").Room} Room */

/**
 * Makes the lists.
 * @returns {{element: HTMLElement, close: () => void}}
 */
export function raceLists() {
  const waiting = h("ul", { class: "races", "aria-live": "polite", "aria-relevant": "additions" });
  const running = h("ul", { class: "races" });
  const none = h("p", { class: "muted", hidden: true }, t("home.noRooms"));
  const runningTitle = h("h3", { hidden: true }, t("home.racing"));
  const load = async () => {
    const [open, racing] = await Promise.all([list("open", 30), list("racing", 10)]);
    keyed(waiting, ownFirst(open), keyOf, makeRow, showRow);
    keyed(running, ownFirst(racing), keyOf, makeRow, showRow);
    none.hidden = open.length > 0;
    runningTitle.hidden = racing.length === 0;
  };
  return {
    element: h("div", { class: "race-lists" }, none, waiting, runningTitle, running),
    close: whileSeen(load),
  };
}

/**
 * @param {string} state
 * @param {number} limit
 * @returns {Promise<Room[]>}
 */
async function list(state, limit) {
  return (await api.get(`/rooms?state=${state}&kind=race&limit=${limit}`)).items;
}

/**
 * Says whether a race is mine: I have a seat in it, or still play it.
 * @param {Room} room
 */
function isOwn({ standings }) {
  const me = account.player?.id;
  return standings.some(({ player, state }) => player.id === me && !hasEnded(state));
}

/** @param {Room[]} rooms */
function ownFirst(rooms) {
  return rooms.toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
}

/**
 * Tells rows apart by what one can do there, too.
 * @param {Room} room
 */
function keyOf(room) {
  return `${room.id} ${isOwn(room)}`;
}

/**
 * Repeats something while the page is seen; one that fails is tried again as the next one.
 * @param {() => Promise<void>} step
 * @returns {() => void}  call it to stop
 */
function whileSeen(step) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let next;
  let stopped = false;
  const run = async () => {
    clearTimeout(next);
    if (!document.hidden) await step().catch((problem) => console.debug(problem));
    if (!stopped) next = setTimeout(run, EVERY_MS);
  };
  const seen = () => document.hidden || run();
  document.addEventListener("visibilitychange", seen);
  run();
  return () => {
    stopped = true;
    clearTimeout(next);
    document.removeEventListener("visibilitychange", seen);
  };
}

/** @param {Room} room */
function makeRow(room) {
  return h(
    "li",
    {},
    h(
      "div",
      { class: "race-name" },
      h("a", { class: "written", href: `/rooms/${room.id}` }, raceTitle(room)),
      h("p", { class: "muted small" }),
    ),
    h("p", { class: "race-seats" }),
    actionFor(room),
  );
}

/**
 * Makes what leads into a race: to the own seat, to a free one, or to watch.
 * @param {Room} room
 */
function actionFor(room) {
  const { id, state } = room;
  const title = raceTitle(room);
  const link = (
    /** @type {string} */ kind,
    /** @type {string} */ text,
    label = `${text}: ${title}`,
  ) => h("a", { class: `button ${kind}`, href: `/rooms/${id}`, "aria-label": label }, text);
  if (isOwn(room)) return link("primary", t(state === "open" ? "home.enter" : "home.goOn"));
  if (state !== "open") return link("", t("home.watch"), t("home.watchRace", { title }));
  return h(
    "button",
    {
      class: "button primary",
      "aria-label": t("home.joinRace", { title }),
      on: { click: () => join(id) },
    },
    t("home.join"),
  );
}

/** @param {string} id */
async function join(id) {
  try {
    if (!(await askName())) return;
    await api.post(`/rooms/${id}/join`);
    go(`/rooms/${id}`);
  } catch (problem) {
    sayProblem(problem);
  }
}

/**
 * @param {HTMLElement} row
 * @param {Room} room
 */
function showRow(row, room) {
  const [facts, seats] = [".race-name p", ".race-seats"].map((found) => row.querySelector(found));
  write(facts, factsOf(room).join(" · "));
  const full = room.state === "open" && room.player_count >= room.seats && !isOwn(room);
  const taken =
    room.state === "open" ? t("home.seats", { taken: room.player_count, n: room.seats }) : "";
  write(seats, full ? t("home.full") : taken || t("home.racers", { n: room.player_count }));
  const join = row.querySelector("button");
  if (join) join.disabled = full;
}

/** @param {Room} room */
function factsOf(room) {
  const { host, sealed, time_limit_s, ends_at } = room;
  return [
    room.title && host?.name ? t("home.by", { name: host.name }) : "",
    variantText(room),
    sealed ? t("new.sealed") : "",
    t("home.minutes", { n: Math.round(time_limit_s / 60) }),
    room.state === "open"
      ? startText(room)
      : ends_at && t("home.until", { time: dateText(ends_at, "time") }),
  ].filter(Boolean);
}

/**
 * Writes a text only where it has changed, so that nobody is told it again.
 * @param {Element | null} element
 * @param {string} text
 */
function write(element, text) {
  if (element && element.textContent !== text) replaceChildren(element, text);
}

/** A room's page, from its lobby through the race to the result. */

import { h, replaceChildren } from "../parts/dom.js";
import { standingsTable } from "../parts/standings_view.js";
import { say } from "../parts/toast.js";
import { countdown } from "../room/clock.js";
import { followRoom } from "../room/conductor.js";
import { ending } from "../room/ending.js";
import { dealFacts } from "../room/facts.js";
import { lobby } from "../room/lobby.js";
import { around } from "../room/panel.js";
import { raceView, showLink } from "../room/play.js";
import { account } from "../state/account.js";
import { api } from "../state/api.js";
import { untilStartMs } from "../state/race.js";
import { hasEnded } from "../state/standings.js";
import { t } from "../words/words.js";
import { resultsView } from "./results.js";

const LINGER_MS = 2500; // at a table where one's game has just ended

/**
 * @typedef {import("../room/conductor.js").Conductor} Conductor
 * @typedef {import("../room/conductor.js").Seen} Seen
 * @typedef {{element: HTMLElement, show(seen: Seen): void, close?(): void}} View
 */

/**
 * Opens the page of `/rooms/{room}`.
 * @param {import("../parts/navigation.js").Params} params
 * @returns {Promise<import("../parts/navigation.js").Page>}
 */
export async function open({ room: id }) {
  return roomPage(await api.get(`/rooms/${id}`));
}

/**
 * Makes the page of a room.
 * @param {import("../wire/types.js").Room} room
 * @returns {import("../parts/navigation.js").Page}
 */
export function roomPage(room) {
  const element = h("div", { class: "room" });
  /** @type {View | undefined} */
  let view;
  /** @type {Stage | undefined} */
  let stage;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let turning;
  const turnTo = (/** @type {Stage} */ next) => {
    turning = undefined;
    const seen = conductor.seen();
    view?.close?.();
    view = STAGES[next](conductor, seen);
    element.dataset.stage = next;
    replaceChildren(element, heading(seen), view.element);
    if (stage) say(t(`room.stage.${next}`));
    stage = next;
    view.show(seen);
  };
  const show = () => {
    const seen = conductor.seen();
    const next = stageOf(seen);
    if (stage === "race" && next !== "race" && seen.mine && hasEnded(seen.mine.state)) {
      turning ??= setTimeout(() => turnTo(stageOf(conductor.seen())), LINGER_MS);
    } else if (next !== stage) turnTo(next);
    view?.show(seen);
  };
  const conductor = followRoom(room, { onChange: show });
  const forgetAccount = account.onChange(show);
  show();
  return {
    title: titleOf(room),
    element,
    close() {
      clearTimeout(turning);
      forgetAccount();
      view?.close?.();
      conductor.close();
    },
  };
}

/** @typedef {"lobby" | "watch" | "race" | "after" | "result"} Stage */

/**
 * Says what is to be shown of a room.
 * @param {Seen} seen
 * @returns {Stage}
 */
function stageOf({ room, mine }) {
  if (room.state === "finished") return "result";
  if (room.state !== "racing") return "lobby";
  if (!mine) return "watch";
  return hasEnded(mine.state) ? "after" : "race";
}

/** @type {Record<Stage, (conductor: Conductor, seen: Seen) => View>} */
const STAGES = {
  lobby: lobbyStage,
  watch: watchStage,
  race: raceView,
  after: afterStage,
  result: resultStage,
};

/**
 * @param {Conductor} conductor
 * @param {Seen} seen
 * @returns {View}
 */
function lobbyStage(conductor, seen) {
  const view = lobby(conductor);
  const clock = countdown(() => untilStartMs(conductor.seen().race, performance.now()));
  return {
    element: h("div", { class: "page" }, clock.element, view.element, dealFacts(seen.room)),
    show: view.show,
    close: clock.close,
  };
}

/**
 * @param {Conductor} conductor
 * @param {Seen} seen
 * @returns {View}
 */
function watchStage(conductor, { room }) {
  const isDaily = room.kind === "daily";
  const join = () => conductor.join();
  return standingsStage(conductor, room, [
    h("p", {}, t(isDaily ? "room.dailyText" : "room.watching")),
    isDaily &&
      h("button", { class: "button primary big", on: { click: join } }, t("room.joinDaily")),
  ]);
}

/**
 * @param {Conductor} conductor
 * @param {Seen} seen
 * @returns {View}
 */
function afterStage(conductor, { room }) {
  const end = ending(conductor);
  const stage = standingsStage(conductor, room, [end.element]);
  return {
    ...stage,
    show(seen) {
      end.show(seen);
      stage.show(seen);
    },
  };
}

/**
 * Shows the standings of a running race, below something.
 * @param {Conductor} conductor
 * @param {Seen["room"]} room
 * @param {import("../parts/dom.js").Child[]} above
 * @returns {View}
 */
function standingsStage(conductor, room, above) {
  const table = standingsTable({ caption: t("room.standings"), hidden: false });
  const count = h("p", { class: "muted small" });
  const link = h("p", { class: "link-state", role: "status" });
  return {
    element: h(
      "div",
      { class: "page" },
      above,
      link,
      h("section", { class: "panel" }, count, table.element),
      dealFacts(room),
    ),
    show({ room: now, standings, mine, me, status }) {
      count.textContent = t("room.players", { n: now.player_count });
      table.show(around(standings, mine), me);
      showLink(link, status, conductor);
    },
  };
}

/**
 * @param {Conductor} conductor
 * @param {Seen} seen
 * @returns {View}
 */
function resultStage(conductor, { room, me }) {
  const end = ending(conductor);
  const results = resultsView(room, { me });
  return {
    element: h("div", { class: "page" }, end.element, results.element),
    show: end.show,
    close: results.close,
  };
}

/**
 * @param {Seen} seen
 */
function heading({ room }) {
  return h(
    "div",
    { class: "room-title" },
    h("h1", {}, titleOf(room)),
    h("p", { class: "muted" }, variantText(room)),
  );
}

/** @param {import("../wire/types.js").Room} room */
function titleOf(room) {
  if (room.kind === "daily") return t("room.daily");
  if (room.title) return room.title;
  return room.host?.name ? t("room.titleOf", { name: room.host.name }) : t("home.race");
}

/** @param {import("../wire/types.js").Room} room */
function variantText({ ruleset, draw, time_limit_s: seconds }) {
  const game = ruleset === "CH1" ? t("room.variant.CH1") : t("room.variant.CF1", { n: draw });
  return `${game} · ${t("room.minutes", { n: Math.round(seconds / 60) })}`;
}

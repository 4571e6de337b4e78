/** A room's page, from its lobby through the race to the result. */

import { h, replaceChildren } from "../parts/dom.js";
import { standingsTable } from "../parts/standings_view.js";
import { say } from "../parts/toast.js";
import { countdown } from "../room/clock.js";
import { followRoom } from "../room/conductor.js";
import { lobby } from "../room/lobby.js";
import { dealFacts } from "../room/facts.js";
import { raceView, showLink } from "../room/play.js";
import { nextSteps } from "../room/ending.js";
import { around } from "../room/panel.js";
import { account } from "../state/account.js";
import { untilStartMs } from "../state/race.js";
import { api } from "../wire/api.js";
import { t } from "../words/words.js";
import { resultsView } from "./results.js";

/**
 * @typedef {import("../room/conductor.js").Conductor} Conductor
 * @typedef {import("../room/conductor.js").Seen} Seen
 * @typedef {{element: HTMLElement, show(seen: Seen): void, close?(): void}} View
 */

/**
 * Opens the page of `/rooms/{room}`.
 * @param {import("../app.js").Params} params
 * @returns {Promise<import("../app.js").Page>}
 */
export async function open({ room: id }) {
  return roomPage(await api.get(`/rooms/${id}`));
}

/**
 * Makes the page of a room.
 * @param {import("../wire/types.js").Room} room
 * @returns {import("../app.js").Page}
 */
export function roomPage(room) {
  const element = h("div", { class: "room" });
  /** @type {View | undefined} */
  let view;
  let stage = "";
  const show = () => {
    const seen = conductor.seen();
    const next = stageOf(seen);
    if (next !== stage) {
      view?.close?.();
      view = STAGES[next](conductor, seen);
      element.dataset.stage = next;
      replaceChildren(element, heading(room, seen), view.element);
      if (stage) say(t(`room.stage.${next}`));
      stage = next;
    }
    view?.show(seen);
  };
  const conductor = followRoom(room, { onChange: show });
  const forgetAccount = account.onChange(show);
  show();
  return {
    title: titleOf(room),
    element,
    close() {
      forgetAccount();
      view?.close?.();
      conductor.close();
    },
  };
}

/** @typedef {"lobby" | "watch" | "race" | "result"} Stage */

/**
 * Says what is to be shown of a room.
 * @param {Seen} seen
 * @returns {Stage}
 */
function stageOf({ room, race, mine }) {
  if (room.state === "finished") return race.game && race.watchedToTheEnd ? "race" : "result";
  if (room.state === "racing") return race.game ? "race" : mine ? "race" : "watch";
  return "lobby";
}

/** @type {Record<Stage, (conductor: Conductor, seen: Seen) => View>} */
const STAGES = {
  lobby: lobbyStage,
  watch: watchStage,
  race: raceView,
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
function watchStage(conductor, seen) {
  const table = standingsTable({ caption: t("room.standings") });
  const link = h("p", { class: "link-state", role: "status" });
  const join = h(
    "button",
    { class: "button primary big", on: { click: () => conductor.join() } },
    t("room.joinDaily"),
  );
  const isDaily = seen.room.kind === "daily";
  return {
    element: h(
      "div",
      { class: "page" },
      h("p", {}, t(isDaily ? "room.dailyText" : "room.watching")),
      isDaily && h("div", { class: "row" }, join),
      link,
      h("section", { class: "panel" }, table.element),
      dealFacts(seen.room),
    ),
    show(now) {
      table.show(around(now.standings, now.mine), now.me);
      showLink(link, now.status, conductor);
    },
  };
}

/**
 * @param {Conductor} conductor
 * @param {Seen} seen
 * @returns {View}
 */
function resultStage(conductor, seen) {
  const results = resultsView(seen.room, { me: seen.me });
  const actions = h("div", { class: "row" });
  let drawn = "";
  return {
    element: h("div", { class: "page" }, actions, results.element),
    show(now) {
      const asked = `${now.room.rematch} ${now.mine?.state}`;
      if (asked === drawn) return;
      drawn = asked;
      replaceChildren(actions, now.mine && nextSteps(now, conductor));
    },
    close: results.close,
  };
}

/**
 * @param {import("../wire/types.js").Room} room
 * @param {Seen} seen
 */
function heading(room, { race }) {
  return h(
    "div",
    { class: "room-title" },
    h("h1", {}, titleOf(room)),
    h("p", { class: "muted" }, variantText(race.room)),
  );
}

/** @param {import("../wire/types.js").Room} room */
function titleOf(room) {
  if (room.kind === "daily") return t("room.daily");
  return room.title || t("room.titleOf", { name: room.host?.name ?? "" });
}

/** @param {import("../wire/types.js").Room} room */
function variantText({ ruleset, draw, time_limit_s: seconds }) {
  const game = ruleset === "CH1" ? t("room.variant.CH1") : t("room.variant.CF1", { n: draw });
  return `${game} · ${t("room.minutes", { n: Math.round(seconds / 60) })}`;
}

/** The race itself: the table, the numbers that matter, and who stands where. */

import { confirmDialog } from "../parts/dialog.js";
import { h, replaceChildren } from "../parts/dom.js";
import { say, toast } from "../parts/toast.js";
import { shownTable, undoLeft } from "../state/race.js";
import { createTable } from "../table/table_view.js";
import { isKey, number, t } from "../words/words.js";
import { raceClock } from "./clock.js";
import { ending } from "./ending.js";
import { racePanel } from "./panel.js";

/**
 * @typedef {import("./conductor.js").Conductor} Conductor
 * @typedef {import("./conductor.js").Seen} Seen
 */

/**
 * Makes the view of a race that one plays.
 * @param {Conductor} conductor
 * @returns {{element: HTMLElement, show(seen: Seen): void, close(): void}}
 */
export function raceView(conductor) {
  const live = () => conductor.seen().isPlaying;
  const table = createTable({
    onMove: (move) => live() && conductor.play(move),
    onUndo: () => live() && conductor.undo(),
    isLive: live,
  });
  const numbers = raceNumbers(conductor);
  const tools = toolbar(conductor);
  const panel = racePanel(conductor);
  const end = ending(conductor);
  const stage = h("div", { class: "stage" }, table.element, end.element);
  const element = h(
    "div",
    { class: "race" },
    h("div", { class: "rail" }, numbers.element, tools.element),
    stage,
    panel.element,
  );
  let refused = 0;
  return {
    element,
    show(seen) {
      const { race } = seen;
      const shown = shownTable(race);
      if (shown) {
        const pending = race.pending.length;
        table.show(shown, { pending, label: t("room.table") });
      }
      table.setPlayable(live());
      numbers.show(seen);
      tools.show(seen);
      panel.show(seen);
      end.show(seen);
      if (race.refused && race.refused.id !== refused) tellRefusal(race.refused);
      refused = race.refused?.id ?? refused;
    },
    close() {
      table.close();
      numbers.close();
      panel.close();
    },
  };
}

/** @param {NonNullable<import("../state/race.js").Race["refused"]>} refused */
function tellRefusal({ code, detail }) {
  const key = `reject.${code}`;
  toast(isKey(key) ? t(key) : detail, { kind: "error" });
  say(isKey(key) ? t(key) : detail, { urgent: true });
}

/**
 * Makes the bar of numbers: time left, place, cards placed, points, moves.
 * @param {Conductor} conductor
 */
function raceNumbers(conductor) {
  const clock = raceClock(() => conductor.seen().race);
  const place = numberBox(t("room.place"));
  const placed = numberBox(t("room.placed"));
  const points = numberBox(t("room.points"));
  const moves = numberBox(t("room.moves"));
  const element = h(
    "div",
    { class: "numbers" },
    clock.element,
    place.element,
    placed.element,
    points.element,
    moves.element,
  );
  return {
    element,
    close: clock.close,
    /** @param {Seen} seen */
    show({ mine, room, race }) {
      const dollars = room.ruleset === "CH1";
      place.show(mine ? number(mine.rank) : "–", `/ ${number(room.player_count)}`);
      placed.show(number(race.shown.placed), "/ 52");
      points.show(
        number(
          race.shown.score,
          dollars ? { style: "currency", currency: "USD", maximumFractionDigits: 0 } : {},
        ),
      );
      moves.show(number(race.shown.ply));
    },
  };
}

/** @param {string} label */
function numberBox(label) {
  const value = h("span", { class: "pace" });
  const of = h("span", { class: "of muted" });
  return {
    element: h(
      "div",
      { class: "number-box" },
      h("span", { class: "label" }, label),
      h("span", {}, value, of),
    ),
    show(/** @type {string} */ text, rest = "") {
      value.textContent = text;
      of.textContent = rest && ` ${rest}`;
    },
  };
}

/**
 * Makes the buttons below the numbers.
 * @param {Conductor} conductor
 */
function toolbar(conductor) {
  const undo = h(
    "button",
    { class: "button", on: { click: () => conductor.undo() } },
    `↶ ${t("room.undo")}`,
  );
  const resign = h(
    "button",
    { class: "button", on: { click: () => giveUp(conductor) } },
    `⚑ ${t("room.resign")}`,
  );
  const panel = h(
    "button",
    {
      class: "button panel-button",
      "aria-expanded": "false",
      "aria-controls": "race-panel",
      on: { click: () => togglePanel(panel) },
    },
    `☰ ${t("room.standings")}`,
  );
  const link = h("p", { class: "link-state", role: "status" });
  return {
    element: h("div", { class: "toolbar" }, undo, resign, panel, link),
    /** @param {Seen} seen */
    show({ race, room, status, isPlaying }) {
      const isRacing = race.game?.state === "racing";
      undo.hidden = !room.undo || !isRacing;
      undo.disabled = !isPlaying || undoLeft(race) === 0;
      resign.hidden = !isRacing;
      resign.disabled = !isPlaying;
      showLink(link, status, conductor);
    },
  };
}

/** @param {HTMLButtonElement} button */
function togglePanel(button) {
  const open = button.getAttribute("aria-expanded") !== "true";
  button.setAttribute("aria-expanded", String(open));
  document.getElementById("race-panel")?.classList.toggle("open", open);
}

/** @param {Conductor} conductor */
async function giveUp(conductor) {
  const sure = await confirmDialog({
    title: t("room.resignTitle"),
    text: t("room.resignText"),
    yes: t("room.resign"),
    danger: true,
  });
  if (sure) await conductor.call("resign");
}

/**
 * Shows quietly how the connection is; nothing while it is well.
 * @param {HTMLElement} element
 * @param {Seen["status"]} status
 * @param {Conductor} conductor
 */
export function showLink(element, status, conductor) {
  if (element.dataset.status === status) return;
  element.dataset.status = status;
  element.hidden = status === "open" || status === "connecting";
  replaceChildren(
    element,
    status === "waiting" && t("room.link.waiting"),
    status === "late" && t("room.link.late"),
    status === "replaced" && [
      t("room.link.replaced"),
      " ",
      h(
        "button",
        { class: "button", on: { click: () => conductor.takeOver() } },
        t("room.link.takeOver"),
      ),
    ],
    status === "refused" && t("room.link.refused"),
    status === "gone" && t("room.link.gone"),
  );
}

/** A room before its race: who is here, how to bring others, and when it begins. */

import { confirmDialog } from "../parts/dialog.js";
import { h, keyed, replaceChildren } from "../parts/dom.js";
import { go } from "../parts/navigation.js";
import { playerLink } from "../parts/standings_view.js";
import { dateText, t } from "../words/words.js";
import { sharePanel } from "./share.js";

/**
 * @typedef {import("./conductor.js").Conductor} Conductor
 * @typedef {import("./conductor.js").Seen} Seen
 */

/**
 * Makes the lobby.
 * @param {Conductor} conductor
 * @returns {{element: HTMLElement, show(seen: Seen): void}}
 */
export function lobby(conductor) {
  const wait = h("p", { class: "lobby-wait", role: "status" });
  const actions = h("div", { class: "row" });
  const seats = h("ul", { class: "seats" });
  const count = h("p", { class: "muted" });
  const element = h(
    "div",
    { class: "lobby" },
    h(
      "section",
      { class: "panel", "aria-labelledby": "seats-title" },
      h("div", { class: "row spread" }, h("h2", { id: "seats-title" }, t("room.seats")), count),
      seats,
      wait,
      actions,
    ),
    sharePanel(conductor.room.id),
  );
  let drawn = "";
  return {
    element,
    show(seen) {
      const { room } = seen;
      count.textContent = t("room.seatsTaken", { n: room.player_count, seats: room.seats });
      keyed(
        seats,
        seen.standings,
        ({ player }) => player.id,
        () => h("li"),
        (seat, entry) => showSeat(seat, entry, seen, conductor),
      );
      wait.textContent = waitingText(seen);
      const asked = JSON.stringify([
        seen.isHost,
        seen.mine?.state,
        room.state,
        room.start,
        room.player_count,
      ]);
      if (asked === drawn) return; // buttons keep the focus
      drawn = asked;
      replaceChildren(actions, actionsFor(seen, conductor));
    },
  };
}

/**
 * @param {HTMLElement} seat
 * @param {import("../wire/types.js").Standing} entry
 * @param {Seen} seen
 * @param {Conductor} conductor
 */
function showSeat(seat, { player, state }, { room, isHost, me }, conductor) {
  const drawn = JSON.stringify([player, state, room.host?.id, isHost]);
  if (seat.dataset.drawn === drawn) return;
  seat.dataset.drawn = drawn;
  replaceChildren(
    seat,
    h("span", { class: "seat-name" }, playerLink(player)),
    player.id === room.host?.id && h("span", { class: "chip" }, t("room.host")),
    state === "ready" && h("span", { class: "chip strong" }, `✓ ${t("room.state.ready")}`),
    isHost &&
      player.id !== me &&
      h(
        "button",
        { class: "button quiet", on: { click: () => kick(player, conductor) } },
        t("room.kick"),
        h("span", { class: "visually-hidden" }, ` ${player.name}`),
      ),
  );
}

/**
 * @param {import("../wire/types.js").Player} player
 * @param {Conductor} conductor
 */
async function kick(player, conductor) {
  const sure = await confirmDialog({
    title: t("room.kickTitle", { name: player.name }),
    text: t("room.kickText"),
    yes: t("room.kick"),
    danger: true,
  });
  if (sure) await conductor.call("kick", { player: player.id });
}

/**
 * @param {Seen} seen
 * @returns {string}
 */
function waitingText({ room, mine, isHost }) {
  if (room.state === "cancelled") return t("room.cancelled");
  if (room.state === "countdown") return t("room.getReady");
  if (room.start === "at" && room.start_at) {
    return t("room.startsAt", { time: dateText(room.start_at, "moment") });
  }
  if (room.start === "ready") {
    return mine?.state === "ready" ? t("room.waitForReady") : t("room.sayReady");
  }
  return isHost ? t("room.youStart") : t("room.hostStarts", { name: room.host?.name ?? "" });
}

/**
 * @param {Seen} seen
 * @param {Conductor} conductor
 */
function actionsFor({ room, mine, isHost }, conductor) {
  if (room.state === "cancelled") {
    return h("a", { class: "button primary", href: "/new" }, t("room.newRace"));
  }
  if (!mine) {
    const full = room.player_count >= room.seats;
    return button("primary big", t(full ? "room.full" : "room.join"), () => conductor.join(), full);
  }
  const ready = mine.state === "ready";
  return [
    room.state === "open" &&
      room.start === "host" &&
      isHost &&
      button("primary big", t("room.start"), () => conductor.call("start")),
    room.state === "open" &&
      room.start === "ready" &&
      button(ready ? "" : "primary big", t(ready ? "room.notReady" : "room.ready"), () =>
        conductor.call("ready", { ready: !ready }),
      ),
    button("", t("room.leave"), async () => {
      if (await conductor.call("leave")) go("/");
    }),
    isHost && button("quiet", t("room.cancel"), () => conductor.call("cancel")),
  ];
}

/**
 * @param {string} kind
 * @param {string} text
 * @param {() => unknown} click
 * @param {boolean} [disabled]
 */
function button(kind, text, click, disabled = false) {
  return h("button", { class: `button ${kind}`, disabled, on: { click } }, text);
}

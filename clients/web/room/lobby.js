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
  const share = sharePanel(conductor.room.id);
  const element = h(
    "div",
    { class: "lobby" },
    h(
      "section",
      { class: "panel", "aria-labelledby": "seats-title" },
      h("div", { class: "row spread" }, h("h2", { id: "seats-title" }, t("room.seats")), count),
      wait,
      actions,
      seats,
    ),
    share,
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
      share.hidden = room.state !== "open" || isFull(room) || seen.isKicked;
      const asked = JSON.stringify([
        seen.isHost,
        seen.isKicked,
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

/** @param {Seen["room"]} room */
function isFull({ player_count, seats }) {
  return player_count >= seats;
}

/**
 * @param {Seen} seen
 * @returns {string}
 */
function waitingText({ room, mine, isHost, isKicked }) {
  if (isKicked) return t("problem.kicked");
  if (room.state === "cancelled") return t("room.cancelled");
  if (room.state === "countdown") return t("room.getReady");
  if (!mine && isFull(room)) return t("problem.room_full");
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
function actionsFor({ room, mine, isHost, isKicked }, conductor) {
  if (room.state === "cancelled") {
    return h("a", { class: "button primary", href: "/new" }, t("room.newRace"));
  }
  if (!mine) {
    if (isKicked || isFull(room)) return null;
    return button("primary big", t("room.join"), () => conductor.join());
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
 */
function button(kind, text, click) {
  return h("button", { class: `button ${kind}`, on: { click } }, text);
}

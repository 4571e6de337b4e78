/** The end of one's own game, over the table: how it went, and what one may do next. */

import { h, replaceChildren } from "../parts/dom.js";
import { go } from "../parts/navigation.js";
import { say, sayProblem } from "../parts/toast.js";
import { api } from "../state/api.js";
import { hasEnded } from "../state/standings.js";
import { clockText, number, t } from "../words/words.js";

const CONFETTI = 36;

/**
 * @typedef {import("./conductor.js").Conductor} Conductor
 * @typedef {import("./conductor.js").Seen} Seen
 */

/**
 * Makes what is shown over the table once the own game has ended.
 * @param {Conductor} conductor
 * @returns {{element: HTMLElement, show(seen: Seen): void}}
 */
export function ending(conductor) {
  const title = h("h2");
  const text = h("p");
  const rank = h("p", { class: "muted" });
  const actions = h("div", { class: "row" });
  const confetti = h("div", { class: "confetti", "aria-hidden": "true" });
  const element = h("div", { class: "ending", hidden: true }, confetti, title, text, rank, actions);
  let told = "";
  return {
    element,
    show(seen) {
      const { mine, room } = seen;
      element.hidden = !mine || !hasEnded(mine.state);
      if (!mine || element.hidden) return;
      title.textContent = endTitle(mine.state);
      text.textContent = endText(mine);
      rank.textContent = rankText(seen);
      const drawn = `${mine.state} ${room.state} ${room.rematch}`;
      if (drawn === told) return;
      if (!told) say(`${title.textContent} ${text.textContent}`, { urgent: true });
      if (mine.state === "won" && !confetti.childElementCount) {
        confetti.append(
          ...Array.from({ length: CONFETTI }, (_, i) => h("i", { vars: { "--i": String(i) } })),
        );
      }
      told = drawn;
      replaceChildren(actions, nextSteps(seen, conductor));
    },
  };
}

/** @param {string} state */
function endTitle(state) {
  if (state === "won") return t("room.end.won");
  return state === "resigned" ? t("room.end.resigned") : t("room.end.outOfTime");
}

/** @param {NonNullable<Seen["mine"]>} mine */
function endText({ state, placed, at_ms: atMs, actions }) {
  if (state !== "won") return t("room.end.text", { n: placed });
  return t("room.end.wonText", { n: actions, time: clockText(atMs) });
}

/** @param {Seen} seen */
function rankText({ mine, room }) {
  const values = { rank: number(mine?.rank ?? 0), n: room.player_count };
  return room.state === "finished" ? t("room.end.rank", values) : t("room.end.rankNow", values);
}

/**
 * Gives what one may do once the own game has ended.
 * @param {Seen} seen
 * @param {Conductor} conductor
 */
function nextSteps({ room, mine }, conductor) {
  if (room.kind === "daily") {
    return [
      h("a", { class: "button primary", href: "/boards/wins" }, t("app.boards")),
      h("a", { class: "button", href: "/new" }, t("room.newRace")),
    ];
  }
  if (room.state !== "finished") return h("p", { class: "muted" }, t("room.end.others"));
  const again = async () => {
    const next = await conductor.call("rematch");
    if (next) go(`/rooms/${next.id}`);
  };
  const text = t(room.rematch ? "room.joinRematch" : "room.rematch");
  return [
    h("button", { class: "button primary", on: { click: again } }, text),
    mine && watchAgain(mine.player.id, room),
  ];
}

/**
 * Makes the button that leads to the replay of one's own game.
 * @param {string} me
 * @param {import("../wire/types.js").Room} room
 */
function watchAgain(me, room) {
  const watch = async () => {
    try {
      const { items } = await api.get(`/rooms/${room.id}/games?limit=100`);
      const game = items.find(
        (/** @type {{player: {id: string}}} */ { player }) => player.id === me,
      );
      if (game) go(`/games/${game.id}`);
    } catch (problem) {
      sayProblem(problem);
    }
  };
  return h("button", { class: "button", on: { click: watch } }, t("room.watchAgain"));
}

/** One room, live: the state, the socket that feeds it, and what its player does. */

import { askName } from "../parts/dialog.js";
import { sayProblem } from "../parts/toast.js";
import { account } from "../state/account.js";
import { api } from "../state/api.js";
import * as races from "../state/race.js";
import { openLive } from "../wire/live.js";

const BAD_TOKEN = 4401;

/**
 * @typedef {import("../state/race.js").Race} Race
 * @typedef {import("../wire/types.js").Room} Room
 * @typedef {import("../wire/live.js").LiveStatus} LiveStatus
 *
 * @typedef {object} Seen  what there is to show
 * @property {Race} race
 * @property {Room} room
 * @property {import("../parts/standings_view.js").Ranked[]} standings
 * @property {import("../parts/standings_view.js").Ranked | undefined} mine
 * @property {string | undefined} me  the own id
 * @property {boolean} isHost
 * @property {boolean} isKicked
 * @property {LiveStatus} status  of the connection
 *
 * @typedef {object} Conductor
 * @property {Room} room  as it was at first
 * @property {() => Seen} seen
 * @property {(move: string) => void} play
 * @property {() => void} undo
 * @property {() => Promise<void>} join
 * @property {(what: string, body?: object) => Promise<Room | null>} call  null when it failed, and was said
 * @property {() => void} takeOver  plays here again after another tab did
 * @property {() => void} close
 */

/**
 * Follows a room.
 * @param {Room} room  as GET has shown it: there is something to see before the socket is open
 * @param {{onChange: () => void}} options
 * @returns {Conductor}
 */
export function followRoom(room, { onChange }) {
  let race = races.fromRoom(room);
  /** @type {LiveStatus} */
  let status = "connecting";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let again;
  let token = account.token;

  const change = (/** @type {Race} */ next) => {
    if (next === race) return;
    race = next;
    send();
    onChange();
  };
  const send = () => {
    const now = performance.now();
    const sending = races.sending(race, now);
    race = sending.race;
    for (const frame of sending.frames) live.send(frame);
    clearTimeout(again);
    if (sending.againAtMs !== null)
      again = setTimeout(() => change({ ...race }), sending.againAtMs - now);
  };
  const live = openLive(room.id, {
    token,
    since: () => races.since(race),
    onFrame: (frame) => change(races.receive(race, frame, performance.now())),
    onStatus: (next, closeCode) => {
      status = next;
      if (closeCode === BAD_TOKEN && token) account.revoked(token);
      if (next !== "open") race = races.disconnected(race);
      onChange();
    },
  });

  const reopen = () => {
    if (account.token !== token) race = races.fromRoom(race.room); // what another one knew
    token = account.token;
    live.reopen(token);
  };
  const stopListening = account.onChange(() => {
    if (account.token !== token) reopen(); // as somebody else, or to watch only
  });

  const call = async (
    /** @type {string} */ what,
    /** @type {object | undefined} */ body = undefined,
  ) => {
    try {
      return /** @type {Room} */ (await api.post(`/rooms/${room.id}/${what}`, body));
    } catch (problem) {
      sayProblem(problem);
      if (/** @type {{code?: string}} */ (problem).code === "kicked") change(races.kicked(race));
      return null;
    }
  };
  return {
    room,
    seen: () => look(race, status),
    play: (move) => change(races.makeMove(race, move)),
    undo: () => change(races.undo(race)),
    call,
    async join() {
      if ((await askName()) && (await call("join"))) reopen();
    },
    takeOver: reopen,
    close() {
      clearTimeout(again);
      stopListening();
      live.close();
    },
  };
}

/**
 * @param {Race} race
 * @param {LiveStatus} status
 * @returns {Seen}
 */
function look(race, status) {
  const me = account.player?.id;
  const standings = races.standings(race);
  return {
    race,
    room: race.room,
    standings,
    mine: races.myEntry(race) ?? standings.find(({ player }) => player.id === me),
    me,
    isHost: race.room.host?.id === me,
    isKicked: race.isKicked,
    status,
  };
}

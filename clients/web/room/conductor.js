/** One room, live: the state, the socket that feeds it, and what its player does. */

import { askName } from "../parts/dialog.js";
import { sayProblem } from "../parts/toast.js";
import { account } from "../state/account.js";
import { api } from "../state/api.js";
import { follow } from "../state/following.js";
import { keptMoves } from "../state/kept_moves.js";
import * as races from "../state/race.js";

/**
 * @typedef {import("../state/race.js").Race} Race
 * @typedef {import("../wire/types.js").Room} Room
 * @typedef {import("../state/following.js").LinkStatus} LinkStatus
 *
 * @typedef {object} Seen  what there is to show
 * @property {Race} race
 * @property {Room} room
 * @property {import("../parts/standings_view.js").Ranked[]} standings
 * @property {import("../parts/standings_view.js").Ranked | undefined} mine
 * @property {string | undefined} me  the own id
 * @property {boolean} isHost
 * @property {boolean} isKicked
 * @property {boolean} isPlaying  moves can be made here and now
 * @property {LinkStatus} status  of the connection
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
  const live = follow(room, { account, kept: keptMoves, onChange });
  let { token } = account;
  const reopen = () => {
    token = account.token;
    live.reopen();
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
      if (/** @type {{code?: string}} */ (problem).code === "kicked")
        live.change(races.kicked(live.race));
      return null;
    }
  };
  return {
    room,
    seen: () => look(live),
    play: live.play,
    undo: live.undo,
    call,
    async join() {
      if ((await askName()) && (await call("join"))) reopen();
    },
    takeOver: reopen,
    close() {
      stopListening();
      live.close();
    },
  };
}

/**
 * @param {{race: Race, status: LinkStatus}} live
 * @returns {Seen}
 */
function look({ race, status }) {
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
    isPlaying: race.game?.state === "racing" && !race.isShutOut,
    status,
  };
}

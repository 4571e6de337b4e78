/**
 * A race as its player sees it: what the server has told, and what was played on top of that. A
 * pure function of a snapshot, frames and moves; time is an argument, of a monotonic clock.
 */

import { acked, gameCame, myStateCame, rejected, waitAndResend } from "./answers.js";
import { UNDO } from "./ground.js";
import { heard } from "./lateness.js";
import { addMove, NOTHING_SHOWN, showAhead } from "./pending.js";
import { elapsedMs } from "./race_facts.js";
import { afterEvent, isRoomEvent, knowRoom } from "./room_events.js";
import { readClock, tuneClock } from "./server_clock.js";

export {
  elapsedMs,
  leftMs,
  myEntry,
  serverNow,
  shownTable,
  standings,
  undoLeft,
  untilStartMs,
} from "./race_facts.js";
export { sending } from "./sending.js";

/**
 * @typedef {import("../wire/types.js").Frame} Frame
 * @typedef {import("../wire/types.js").Room} Room
 * @typedef {import("../wire/types.js").RoomEvent} RoomEvent
 * @typedef {import("../wire/types.js").Welcome} Welcome
 *
 * @typedef {object} OwnGame  my game as it is confirmed
 * @property {import("../wire/types.js").PlayerState} state
 * @property {number} placed
 * @property {number} score
 * @property {number} atMs
 * @property {number} elapsedMs  at the last action; once it has ended, at its end
 * @property {string} startedAt
 * @property {string} endsAt
 *
 * @typedef {object} Race
 * @property {Room} room  with its standings ranked
 * @property {readonly import("../wire/types.js").Entry[]} entries  everyone heard of
 * @property {import("../wire/types.js").You | null} you  null for who only watches
 * @property {string | null} cancelReason
 * @property {boolean} isKicked  I was, and may not come back
 * @property {string | null} epoch
 * @property {number} offset
 * @property {import("./server_clock.js").ServerClock | null} clock
 * @property {OwnGame | null} game
 * @property {import("./ground.js").Ground | null} ground  what is confirmed of the table
 * @property {import("./ground.js").Ground | null} tip  the same after all that is pending
 * @property {readonly import("./pending.js").Pending[]} pending
 * @property {readonly number[]} disowned  plies of moves that were sent and given up: their
 *   answers are still to come
 * @property {import("./pending.js").Shown} shown
 * @property {import("./pending.js").Refused | null} refused  the last one
 * @property {boolean} isConnected
 * @property {boolean} isCurrent  my game has come over this connection
 * @property {boolean} isShutOut  nothing is played here until my game has come again
 * @property {number} waitsSinceMs  when what is not answered was sent, or the answer before it came
 * @property {boolean} wantsSync
 * @property {boolean} isSyncing
 * @property {number} failures  of storage, one after the other
 * @property {number | null} againAtMs  when to ask again what storage did not answer
 */

/**
 * Gives a race of which no more is known than its room.
 * @param {Room} room
 * @returns {Race}
 */
export function fromRoom(room) {
  return {
    ...knowRoom(room),
    you: null,
    cancelReason: null,
    isKicked: false,
    epoch: null,
    offset: -1,
    clock: null,
    game: null,
    ground: null,
    tip: null,
    pending: [],
    disowned: [],
    shown: NOTHING_SHOWN,
    refused: null,
    isConnected: false,
    isCurrent: false,
    isShutOut: false,
    waitsSinceMs: 0,
    wantsSync: false,
    isSyncing: false,
    failures: 0,
    againAtMs: null,
  };
}

/**
 * Gives the race after a frame; what is old or unknown changes nothing.
 * @param {Race} race
 * @param {Frame} frame
 * @param {number} nowMs  when it came
 * @returns {Race}
 */
export function receive(race, frame, nowMs) {
  return heard(received(race, frame, nowMs), frame.type, nowMs);
}

/**
 * @param {Race} race
 * @param {Frame} frame
 * @param {number} nowMs
 * @returns {Race}
 */
function received(race, frame, nowMs) {
  switch (frame.type) {
    case "welcome":
      return welcomed(race, frame, nowMs);
    case "you":
      return myStateCame({ ...race, you: frame }, frame.state, elapsedMs(race, nowMs));
    case "game":
      return gameCame(race, frame);
    case "ack":
      return acked(race, frame);
    case "reject":
      return rejected(race, frame, nowMs);
    case "error":
      return faulted(race, frame.code, nowMs);
    case "pong": {
      const sentMs = Number(frame.t);
      const pong = { serverTime: frame.server_time, sentMs, nowMs };
      return { ...race, clock: tuneClock(race.clock, pong) };
    }
    default:
      return isRoomEvent(frame) ? happened(race, frame, nowMs) : race;
  }
}

/**
 * Gives the race once the connection is gone: what was on its way may or may not have arrived.
 * @param {Race} race
 * @returns {Race}
 */
export function disconnected(race) {
  return {
    ...race,
    pending: race.pending.map((pending) => ({ ...pending, sent: false })),
    disowned: [],
    isConnected: false,
    isCurrent: false,
    wantsSync: false,
    isSyncing: false,
    againAtMs: null,
  };
}

/**
 * Gives the race once nothing more is played here: on another socket, or not at all. What was not
 * confirmed is no more.
 * @param {Race} race
 * @returns {Race}
 */
export function shutOut(race) {
  return showAhead({ ...disconnected(race), pending: [], isShutOut: true });
}

/**
 * Gives the race of one whom the server has told that the host had removed them.
 * @param {Race} race
 * @returns {Race}
 */
export function kicked(race) {
  return { ...onlyWatching(race), isKicked: true };
}

/**
 * Gives what `hello` says is known already.
 * @param {Race} race
 */
export function since({ epoch, offset }) {
  return epoch === null ? undefined : { epoch, offset };
}

/**
 * Plays a move at once and puts it with those to be sent; what is not legal changes nothing.
 * @param {Race} race
 * @param {string} move  spelled out, no tap
 * @returns {Race}
 */
export function makeMove(race, move) {
  return addMove(race, move);
}

/**
 * Takes the last action back; where nothing can be taken back nothing changes.
 * @param {Race} race
 * @returns {Race}
 */
export function undo(race) {
  return addMove(race, UNDO);
}

/**
 * @param {Race} race
 * @param {Welcome} welcome
 * @param {number} nowMs
 * @returns {Race}
 */
function welcomed(race, { epoch, offset, room, server_time }, nowMs) {
  const clock = readClock(server_time, nowMs);
  if (!room) return { ...race, epoch, clock, isConnected: true };
  const next = { ...race, ...knowRoom(room), epoch, offset, clock, isConnected: true };
  const me = race.you?.player.id;
  const complete = room.player_count <= room.standings.length;
  const isHere = room.standings.some(({ player }) => player.id === me);
  return complete && !isHere ? onlyWatching(next) : next;
}

/**
 * @param {Race} race
 * @param {RoomEvent} event
 * @param {number} nowMs
 * @returns {Race}
 */
function happened(race, event, nowMs) {
  if (event.offset <= race.offset) return race;
  const next = { ...race, ...afterEvent(race, event), offset: event.offset };
  const me = race.you?.player.id;
  switch (event.type) {
    case "left":
      return event.player.id === me ? onlyWatching(next) : next;
    case "kicked":
      return event.player.id === me ? kicked(next) : next;
    case "cancelled":
      return { ...next, cancelReason: event.reason };
    case "standings":
    case "finished": {
      const mine = next.entries.find(({ player }) => player.id === me);
      return myStateCame(next, mine?.state, elapsedMs(race, nowMs));
    }
    default:
      return next;
  }
}

/**
 * @param {Race} race
 * @param {string} code
 * @param {number} nowMs
 * @returns {Race}
 */
function faulted(race, code, nowMs) {
  if (!race.isSyncing) return race;
  const asksAgain = code === "unavailable";
  const next = { ...race, isSyncing: false, wantsSync: asksAgain };
  return asksAgain ? waitAndResend(next, nowMs) : next;
}

/**
 * @param {Race} race
 * @returns {Race}
 */
function onlyWatching(race) {
  const nothing = { game: null, ground: null, tip: null, pending: [], shown: NOTHING_SHOWN };
  return { ...race, ...nothing, you: null };
}

/** A room followed: what its socket tells goes into the state, and out goes what that wants sent. */

import { openLive } from "../wire/live.js";
import { browserWorld } from "../wire/world.js";
import { NO_MOVES, playAgain } from "./kept_moves.js";
import { isLate, lateAtMs } from "./lateness.js";
import * as races from "./race.js";

const BAD_TOKEN = 4401;
const FINAL = new Set(["replaced", "refused", "gone"]);

/**
 * @typedef {import("./race.js").Race} Race
 * @typedef {import("../wire/live.js").LiveStatus | "late"} LinkStatus
 *   late: open, but an answer has been waited for too long
 *
 * @typedef {object} Options
 * @property {{readonly player: {id: string} | null, readonly token: string | null,
 *   revoked(token: string): void}} account  who follows, by now
 * @property {import("./kept_moves.js").KeptMoves} kept
 * @property {() => void} onChange
 * @property {import("../wire/world.js").World} [world]
 *
 * @typedef {object} Following
 * @property {Race} race
 * @property {LinkStatus} status
 * @property {(next: Race) => void} change
 * @property {(move: string) => void} play
 * @property {() => void} undo
 * @property {() => void} reopen  as who has the account by now, or to play here again
 * @property {() => void} close
 */

/**
 * Follows a room.
 * @param {import("../wire/types.js").Room} room
 * @param {Options} options
 * @returns {Following}
 */
export function follow(room, { account, kept, onChange, world = browserWorld() }) {
  let race = races.fromRoom(room);
  let { token } = account;
  let me = account.player?.id;
  let queue = kept.read(room.id, me);
  /** @type {import("../wire/live.js").LiveStatus} */
  let status = "connecting";
  let wasLate = false;
  let cancelAgain = () => {};

  const become = (/** @type {Race} */ next, waiting = queue) => {
    const before = { race, queue };
    ({ race, queue } = playAgain(next, waiting));
    const isSame = race.pending === before.race.pending && queue.moves === before.queue.moves;
    if (!isSame) kept.write(room.id, me, [...race.pending, ...queue.moves]);
  };
  const change = (/** @type {Race} */ next) => {
    if (next === race) return;
    become(next);
    send();
    onChange();
  };
  const send = () => {
    const now = world.now();
    const sending = races.sending(race, now);
    race = sending.race;
    for (const frame of sending.frames) live.send(frame);
    const late = isLate(race, now);
    if (late && !wasLate) live.probe();
    wasLate = late;
    cancelAgain();
    const timesMs = [sending.againAtMs, late ? null : lateAtMs(race)].filter((ms) => ms !== null);
    if (!timesMs.length) return;
    cancelAgain = world.after(Math.min(...timesMs) - now, () => change({ ...race }));
  };
  const live = openLive(room.id, {
    token,
    world,
    since: () => races.since(race),
    onFrame: (frame) => change(races.receive(race, frame, world.now())),
    onStatus(next, closeCode) {
      status = next;
      if (FINAL.has(next)) become(races.shutOut(race), NO_MOVES);
      else if (next !== "open") become(races.disconnected(race));
      if (closeCode === BAD_TOKEN && token) account.revoked(token);
      onChange();
    },
  });
  return {
    get race() {
      return race;
    },
    get status() {
      return status === "open" && isLate(race, world.now()) ? "late" : status;
    },
    change,
    play: (move) => change(races.makeMove(race, move)),
    undo: () => change(races.undo(race)),
    reopen() {
      if (account.token !== token) {
        race = races.fromRoom(race.room); // what another one knew
        me = account.player?.id;
        queue = kept.read(room.id, me);
      }
      token = account.token;
      live.reopen(token);
    },
    close() {
      cancelAgain();
      live.close();
    },
  };
}

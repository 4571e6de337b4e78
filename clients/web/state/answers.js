/** What the server says about my own game: my game as it is, acks, and rejects. */

import { backoffMs } from "../wire/backoff.js";
import { confirm, groundOf, settle } from "./ground.js";
import { dropFrom, playAhead, refuse, showAhead } from "./pending.js";
import { msOf } from "./server_clock.js";
import { hasEnded } from "./standings.js";

/**
 * @typedef {import("./race.js").Race} Race
 * @typedef {import("../wire/types.js").GameView} GameView
 * @typedef {import("../wire/types.js").Ack} Ack
 * @typedef {import("../wire/types.js").Reject} Reject
 * @typedef {import("../wire/types.js").PlayerState} PlayerState
 */

const CONFLICT = Object.freeze({ code: "ply_conflict", detail: "" });

/**
 * Takes my game as it is: what is pending below its ply has been played, the rest is to be sent.
 * @param {Race} race
 * @param {GameView} view
 * @returns {Race}
 */
export function gameCame(race, view) {
  const { grounds, pending } = playAhead(race);
  const reached = grounds.findIndex(({ ply }) => ply === view.ply);
  const settled = settle(grounds[reached] ?? null, view, race.room);
  const known = reached >= 0 && (settled !== null || grounds[reached].table === null);
  const next = {
    ...race,
    game: factsOf(view),
    ground: settled ?? groundOf(view, race.room),
    pending: known ? pending.slice(reached) : [],
    isCurrent: true,
    isShutOut: false,
    wantsSync: false,
    isSyncing: false,
    failures: 0,
    againAtMs: null,
  };
  if (hasEnded(view.state)) return showAhead({ ...next, pending: [] });
  const lost = known ? undefined : race.pending.find(({ ply }) => ply >= view.ply);
  if (!lost) return showAhead(next);
  // Something else stands where my moves were to be: what was made on top of them is no more.
  return showAhead(refuse(next, { move: lost.move, ...CONFLICT }));
}

/**
 * Takes the ack of an action, mine from here or from elsewhere.
 * @param {Race} race
 * @param {Ack} ack
 * @returns {Race}
 */
export function acked(race, ack) {
  const heard = { ...race, ...answered(race, ack.ply), failures: 0 };
  if (!race.ground || !race.game || ack.ply < race.ground.ply) return heard; // it has counted
  if (ack.ply > race.ground.ply) return { ...heard, wantsSync: true };
  const { ground, agrees } = confirm(race.ground, ack, race.room);
  const { score, placed, at_ms: atMs, elapsed_ms: elapsedMs } = ack;
  const state = hasEnded(race.game.state) ? race.game.state : ack.state;
  const game = { ...race.game, state, score, placed, atMs, elapsedMs };
  const next = { ...heard, ground, game, wantsSync: race.wantsSync || !agrees };
  if (hasEnded(state)) return showAhead({ ...next, pending: [] });
  const [first, ...rest] = race.pending;
  if (!first) return showAhead(next);
  if (first.move === ack.move) return showAhead({ ...next, pending: rest });
  return showAhead(refuse(dropFrom(next, 0), { move: first.move, ...CONFLICT }));
}

/**
 * Takes the refusal of a move.
 * @param {Race} race
 * @param {Reject} reject
 * @param {number} nowMs
 * @returns {Race}
 */
export function rejected(race, reject, nowMs) {
  const { ply, code, detail } = reject;
  if (race.disowned.includes(ply)) return { ...race, ...answered(race, ply) };
  const place = race.pending.findIndex((pending) => pending.sent && pending.ply === ply);
  if (place < 0) return race;
  if (code === "unavailable") return waitAndResend(unsent(race, place), nowMs);
  if (code === "ply_gap") {
    // One before it is to be sent again, and this one after it; else we are lost.
    const behind = race.pending.some((pending) => pending.ply === reject.next_ply);
    return { ...unsent(race, place), wantsSync: race.wantsSync || !behind };
  }
  const { move } = race.pending[place];
  const kept = { ...race, pending: race.pending.filter((_, i) => i !== place) }; // it is answered
  const next = refuse(dropFrom(kept, place), { move, code, detail });
  return showAhead({ ...next, wantsSync: race.wantsSync || code === "ply_conflict" });
}

/**
 * Gives the race after my game has got to another state; an ended one stays ended.
 * @param {Race} race
 * @param {PlayerState | undefined} state
 * @param {number | null} elapsedMs  on my clock by now
 * @returns {Race}
 */
export function myStateCame(race, state, elapsedMs) {
  const { game } = race;
  if (!game || !state || !hasEnded(state) || hasEnded(game.state)) return race;
  const limitMs = msOf(game.endsAt) - msOf(game.startedAt);
  const endedMs = state === "out_of_time" ? limitMs : (elapsedMs ?? game.elapsedMs);
  return showAhead({ ...race, game: { ...game, state, elapsedMs: endedMs }, pending: [] });
}

/**
 * Plans to ask again later, for longer each time.
 * @param {Race} race
 * @param {number} nowMs
 * @returns {Race}
 */
export function waitAndResend(race, nowMs) {
  if (race.againAtMs !== null) return race;
  const failures = race.failures + 1;
  return { ...race, failures, againAtMs: nowMs + backoffMs(failures, () => 1) };
}

/** @param {GameView} view */
function factsOf(view) {
  return {
    state: view.state,
    placed: view.placed,
    score: view.score,
    atMs: view.at_ms,
    elapsedMs: view.elapsed_ms,
    startedAt: view.started_at,
    endsAt: view.ends_at,
  };
}

/**
 * @param {Race} race
 * @param {number} place
 * @returns {Race}
 */
function unsent(race, place) {
  const pending = race.pending.map((one, i) => (i === place ? { ...one, sent: false } : one));
  return { ...race, pending };
}

/**
 * Notes that what was sent as these plies, and is not pending any more, has its answer.
 * @param {Race} race
 * @param {number} ply
 * @returns {{disowned: readonly number[]}}
 */
function answered({ disowned }, ply) {
  return { disowned: disowned.slice(disowned.indexOf(ply) + 1) };
}

/**
 * Moves that the server has not confirmed, kept beyond the page that they were made on. Whoever
 * comes back to the room has them played again, with the same `ply`: each counts at most once.
 */

import { keep } from "./keeping.js";
import { addMove } from "./pending.js";
import { hasEnded } from "./standings.js";

/**
 * @typedef {import("./race.js").Race} Race
 * @typedef {{ply: number, move: string}} KeptMove
 *
 * @typedef {object} Queue  what was kept and is not yet played again
 * @property {readonly KeptMove[]} moves
 * @property {boolean} isPlaced  my game has shown which of them have counted
 *
 * @typedef {ReturnType<typeof createKeptMoves>} KeptMoves
 */

/** @type {Queue} */
export const NO_MOVES = Object.freeze({ moves: [], isPlaced: true });

/**
 * Gives the place where moves are kept, by room.
 * @param {import("./keeping.js").Kept} kept
 */
export function createKeptMoves(kept) {
  const readAll = () => /** @type {Record<string, any>} */ (kept.read() ?? {});
  /**
   * @param {string} room
   * @param {object | null} value
   */
  const put = (room, value) => {
    const { [room]: before, ...others } = readAll();
    if (!value && before === undefined) return;
    const all = value ? { ...others, [room]: value } : others;
    kept.write(Object.keys(all).length ? all : null);
  };
  return {
    /**
     * Gives what a player's moves in a room are; those of another player are forgotten.
     * @param {string} room
     * @param {string | undefined} player
     * @returns {Queue}
     */
    read(room, player) {
      const { player: whose, moves } = readAll()[room] ?? {};
      if (whose === player && isMoves(moves)) return { moves, isPlaced: false };
      put(room, null);
      return NO_MOVES;
    },
    /**
     * Keeps a player's moves in a room; none forgets them.
     * @param {string} room
     * @param {string | undefined} player
     * @param {readonly KeptMove[]} moves
     */
    write(room, player, moves) {
      const plain = moves.map(({ ply, move }) => ({ ply, move }));
      put(room, player !== undefined && plain.length ? { player, moves: plain } : null);
    },
  };
}

/**
 * Plays again what was kept, as far as the table lets it: a card that is not known yet is waited
 * for. What the game has gone past, or does not take, ends it.
 * @param {Race} race
 * @param {Queue} queue
 * @returns {{race: Race, queue: Queue}}
 */
export function playAgain(race, queue) {
  if (!queue.moves.length || isOver(race)) return { race, queue: NO_MOVES };
  const { ground } = race;
  if (!ground) return { race, queue };
  let moves = queue.isPlaced ? queue.moves : queue.moves.filter(({ ply }) => ply >= ground.ply);
  let next = race;
  while (moves.length) {
    const [{ ply, move }] = moves;
    const played = ply === next.tip?.ply ? addMove(next, move) : null;
    if (played === next && mayStillKnow(next)) break;
    moves = played && played !== next ? moves.slice(1) : [];
    next = played ?? next;
  }
  return { race: next, queue: { moves, isPlaced: true } };
}

/** @param {Race} race */
function isOver({ room, you, game, isKicked }) {
  const isDone = room.state === "finished" || room.state === "cancelled";
  const state = game?.state ?? you?.state;
  return isKicked || isDone || (state !== undefined && hasEnded(state));
}

/**
 * Says whether something is on its way that may make a move possible.
 * @param {Race} race
 */
function mayStillKnow({ pending, isCurrent, wantsSync, isSyncing }) {
  return pending.length > 0 || !isCurrent || wantsSync || isSyncing;
}

/**
 * @param {unknown} value
 * @returns {value is KeptMove[]}
 */
function isMoves(value) {
  return (
    Array.isArray(value) &&
    value.every((one) => Number.isInteger(one?.ply) && typeof one.move === "string")
  );
}

/** The moves kept in this tab. */
export const keptMoves = createKeptMoves(
  keep("canfield.moves", { storage: () => globalThis.sessionStorage ?? null }),
);

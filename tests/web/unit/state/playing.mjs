import * as races from "../../../../clients/web/state/race.js";
import { aRoom, aServerGame, aWelcome, aYou } from "./pretend_server.mjs";

/** A race after these frames, all at once. */
export const after = (race, ...frames) =>
  frames.reduce((before, frame) => races.receive(before, frame, 0), race);

/** A race that I play, and the server's side of my game. */
export function aRace({ game = aServerGame(), room = aRoom() } = {}) {
  const race = after(races.fromRoom(room), aWelcome({ room }), aYou(), game.view());
  return { race, game };
}

/** Sends what there is to send; gives the race then, and the frames. */
export function sent(race, nowMs = 0) {
  const { race: next, frames } = races.sending(race, nowMs);
  return [next, frames];
}

/** Plays moves and sends them. */
export const played = (race, ...moves) => sent(moves.reduce(races.makeMove, race))[0];

/** A frame with a move. */
export const move = (ply, text) => ({ type: "move", ply, move: text });

/** A refusal. */
export const reject = (ply, code, next_ply = ply) => ({
  type: "reject",
  ply,
  code,
  detail: "why",
  next_ply,
});

/** What waits for its answer. */
export const plies = ({ pending }) => pending.map(({ ply }) => ply);

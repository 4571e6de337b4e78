import * as following from "../../../../clients/web/state/following.js";
import { keep } from "../../../../clients/web/state/keeping.js";
import { createKeptMoves } from "../../../../clients/web/state/kept_moves.js";
import { aBrowserStore } from "./browser.mjs";
import { ME } from "./pretend_server.mjs";

/** A tab's place for moves. */
export const aKeep = (browser = aBrowserStore()) => createKeptMoves(keep("moves", browser));

/** Follows a room as the page does, in a tab of its own if no other is given. */
export function follow(room, { token, world, kept = aKeep(), player = ME, onChange = () => {} }) {
  const account = { player, token, revoked() {} };
  return following.follow(room, { account, kept, world, onChange });
}

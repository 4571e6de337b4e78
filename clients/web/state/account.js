/** Who plays in this browser: the player and the token, kept in it and told to other tabs. */

import { createCalls } from "../wire/calls.js";
import { keep } from "./keeping.js";
import { createListeners } from "./listeners.js";

/**
 * @typedef {import("../wire/types.js").Player} Player
 * @typedef {{player: Player, token: string}} Held
 */

/**
 * Gives an account that is kept at one place and registered by one server.
 * @param {{kept: import("./keeping.js").Kept, fetch: typeof globalThis.fetch}} browser
 */
export function createAccount({ kept, fetch }) {
  /** @type {ReturnType<typeof createListeners<[]>>} */
  const listeners = createListeners();
  /** @type {ReturnType<typeof createListeners<[]>>} */
  const refusals = createListeners();
  let held = readHeld(kept.read());
  const calls = createCalls({ fetch, token: () => held?.token ?? null, onUnauthorized: revoked });

  /** @param {Held | null} next */
  function hold(next) {
    held = next;
    kept.write(next);
    listeners.tell();
  }

  /** @param {string} token */
  function revoked(token) {
    if (held?.token !== token) return;
    hold(null);
    refusals.tell();
  }

  kept.onOtherTab(() => {
    held = readHeld(kept.read());
    listeners.tell();
  });

  return {
    /** Who plays here; null before a name has been given. */
    get player() {
      return held?.player ?? null;
    },
    get token() {
      return held?.token ?? null;
    },
    /**
     * Registers a new player; a refused name is a Problem `invalid` or `name_taken`.
     * @param {string} name
     * @returns {Promise<Player>}
     */
    async register(name) {
      const { player, token } = await calls.post("/players", { name, kind: "human" });
      hold({ player, token });
      return player;
    },
    /**
     * Takes over the player of a token that another device has made.
     * @param {string} token
     * @returns {Promise<Player>}
     */
    async adopt(token) {
      const player = await calls.get("/players/me", { token: token.trim() });
      hold({ player, token: token.trim() });
      return player;
    },
    /**
     * Gives the player another name.
     * @param {string} name
     * @returns {Promise<Player>}
     */
    async rename(name) {
      const player = await calls.patch("/players/me", { name });
      if (held) hold({ ...held, player });
      return player;
    },
    /** Asks the server who this is by now: the name may have been changed elsewhere. */
    async refresh() {
      const asked = held;
      if (!asked) return;
      const player = await calls.get("/players/me", { token: asked.token });
      if (held?.token === asked.token && held.player.name !== player.name) {
        hold({ ...asked, player });
      }
    },
    /** Has the server forget the player for good. */
    async leaveForGood() {
      await calls.del("/players/me");
      hold(null);
    },
    /** Forgets the player in this browser only. */
    forget: () => hold(null),
    revoked,
    /** Tells a listener when the server does not take the token any more; gives what stops that. */
    onRevoked: refusals.on,
    /** Tells a listener of every change; gives what stops that. */
    onChange: listeners.on,
  };
}

/**
 * @param {unknown} value
 * @returns {Held | null}
 */
function readHeld(value) {
  const { player, token } = /** @type {Partial<Held>} */ (value ?? {});
  if (typeof token !== "string" || typeof player?.id !== "string") return null;
  return { player, token };
}

/** The account of this browser. */
export const account = createAccount({
  kept: keep("canfield.account"),
  fetch: (...request) => fetch(...request),
});

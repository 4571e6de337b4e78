/** A room kept up to date: a snapshot and the events after it make what a new snapshot shows. */

import { mergeStandings, rankStandings } from "./standings.js";

/**
 * @typedef {import("../wire/types.js").Room} Room
 * @typedef {import("../wire/types.js").RoomEvent} RoomEvent
 * @typedef {import("../wire/types.js").Entry} Entry
 * @typedef {import("../wire/types.js").Player} Player
 *
 * @typedef {{room: Room, entries: readonly Entry[]}} Known
 *   entries: everyone heard of; a room shows the first hundred of them, ranked
 */

const SHOWN = 100;

/**
 * @template {RoomEvent["type"]} T
 * @typedef {Extract<RoomEvent, {type: T}>} EventOf
 */

/** @type {{[T in RoomEvent["type"]]: (known: Known, event: EventOf<T>) => Known}} */
const AFTER = {
  joined: ({ room, entries }, { player }) => {
    if (entries.some((entry) => entry.player.id === player.id)) return { room, entries };
    const entry = { player, state: /** @type {const} */ ("joined"), ...NOTHING_YET };
    const player_count = room.player_count + 1;
    return { room: { ...room, player_count }, entries: [...entries, entry] };
  },
  left: (known, { player, host }) => {
    const { room, entries } = without(known, player);
    return { room: { ...room, host }, entries };
  },
  kicked: (known, { player }) => without(known, player),
  ready: (known, { player, ready }) =>
    changed(known, player, { state: ready ? "ready" : "joined" }),
  renamed: (known, { player }) => {
    const { room, entries } = changed(known, player, { player });
    return { room: room.host?.id === player.id ? { ...room, host: player } : room, entries };
  },
  countdown: ({ room, entries }, { starts_at }) => ({
    room: { ...room, state: "countdown", starts_at },
    entries,
  }),
  started: ({ room, entries }, { started_at, ends_at, code, nonce }) => ({
    room: { ...room, state: "racing", started_at, ends_at, code, nonce },
    entries: entries.map((entry) => ({ ...entry, state: "racing" })),
  }),
  standings: ({ room, entries: before }, { entries: news }) => {
    const entries = mergeStandings(before, news);
    // In a daily nobody is said to have joined: who is not known here is a newcomer.
    const player_count = Math.max(room.player_count, entries.length);
    return { room: { ...room, player_count }, entries };
  },
  finished: ({ room }, { finished_at, code, nonce, standings }) => ({
    room: { ...room, state: "finished", finished_at, code, nonce },
    entries: standings,
  }),
  cancelled: ({ room, entries }) => ({ room: { ...room, state: "cancelled" }, entries }),
  rematch: ({ room, entries }, { room: rematch }) => ({ room: { ...room, rematch }, entries }),
};

const NOTHING_YET = Object.freeze({ placed: 0, score: 0, actions: 0, at_ms: 0 });

/**
 * Tells whether a frame is about the room.
 * @param {import("../wire/types.js").Frame} frame
 * @returns {frame is RoomEvent}
 */
export function isRoomEvent(frame) {
  return Object.hasOwn(AFTER, frame.type);
}

/**
 * Gives a room as a snapshot shows it.
 * @param {Room} room
 * @returns {Known}
 */
export function knowRoom(room) {
  return { room, entries: room.standings };
}

/**
 * Gives the room after an event.
 * @param {Known} known
 * @param {RoomEvent} event
 * @returns {Known}
 */
export function afterEvent(known, event) {
  const after = /** @type {(known: Known, event: RoomEvent) => Known} */ (AFTER[event.type]);
  const { room, entries } = after(known, event);
  return { room: { ...room, standings: rankStandings(entries).slice(0, SHOWN) }, entries };
}

/**
 * @param {Known} known
 * @param {Player} player
 * @returns {Known}
 */
function without({ room, entries: before }, player) {
  const entries = before.filter((entry) => entry.player.id !== player.id);
  const player_count = room.player_count - (before.length - entries.length);
  return { room: { ...room, player_count }, entries };
}

/**
 * @param {Known} known
 * @param {Player} player
 * @param {Partial<Entry>} change
 * @returns {Known}
 */
function changed({ room, entries: before }, player, change) {
  const entries = before.map((entry) =>
    entry.player.id === player.id ? { ...entry, ...change } : entry,
  );
  return { room, entries };
}

import { readFileSync } from "node:fs";

import { play } from "../../../../clients/web/rules/moves.js";
import { hashOf } from "../../../../clients/web/rules/position.js";
import { isWon, placed, tableFromDeal } from "../../../../clients/web/rules/table.js";

const DEALS = JSON.parse(readFileSync(new URL("../../../vectors/deals.json", import.meta.url)));
const UNDO_DEPTH = 100;
const STARTED_AT = "2026-11-30T12:00:00.000Z";
const ENDS_AT = "2026-11-30T12:15:00.000Z";

/** Who plays in these tests. */
export const ME = Object.freeze({ id: "p_me", name: "Me", kind: "human" });
export const BO = Object.freeze({ id: "p_bo", name: "Bo", kind: "human" });

/** A room as GET shows it, with me and Bo in it. */
export function aRoom(fields = {}) {
  const both = [ME, BO].map((player) => ({ ...anEntry(player), rank: 1 }));
  const { standings = both } = fields;
  return {
    id: "room1",
    kind: "race",
    state: "racing",
    version: 1,
    ruleset: "CF1",
    draw: 3,
    sealed: false,
    seats: 8,
    visibility: "public",
    time_limit_s: 900,
    start: "host",
    start_at: null,
    countdown_s: 5,
    undo: true,
    ranked: true,
    title: "",
    host: ME,
    commitment: "c".repeat(64),
    code: null,
    nonce: null,
    created_at: "2026-11-30T11:55:00.000Z",
    starts_at: STARTED_AT,
    started_at: STARTED_AT,
    ends_at: ENDS_AT,
    finished_at: null,
    player_count: standings.length,
    spectators: 0,
    rematch: null,
    ...fields,
    standings,
  };
}

/** How a player stands. */
export function anEntry(player, fields = {}) {
  return { player, state: "racing", placed: 1, score: 0, actions: 0, at_ms: 0, ...fields };
}

/** A `you` frame. */
export function aYou(fields = {}) {
  const entry = { ...anEntry(ME), rank: 1 };
  return { type: "you", player: ME, host: true, state: "racing", entry, ...fields };
}

/** A `welcome` frame with the room whole. */
export function aWelcome(fields = {}) {
  return {
    type: "welcome",
    epoch: "e1",
    offset: 10,
    recovered: false,
    server_time: "2026-11-30T12:00:00.000Z",
    room: aRoom(),
    ...fields,
  };
}

/** One player's game as a server keeps it: it knows every card and answers as the contract says. */
export function aServerGame({ deal = 0, ruleset = "CF1", draw = 3, undo = true } = {}) {
  const { deck } = DEALS[deal];
  const [base] = deck[13];
  const foundations = { C: 0, D: 0, H: 0, S: 0, [deck[13][1]]: 1 };
  const columns = deck.slice(14, 18).map((card) => [card]);
  let table = tableFromDeal({
    ruleset,
    draw,
    base,
    reserve: deck.slice(0, 13),
    columns,
    stock: deck.slice(18),
    foundations,
  });
  let history = [];
  let score = ruleset === "CH1" ? -45 : 0;
  let state = "racing";
  let atMs = 0;
  const acks = [];
  const game = {
    /** What was played, in order. */
    get moves() {
      return acks.map(({ move }) => move);
    },
    get state() {
      return state;
    },
    get table() {
      return table;
    },
    /** Answers a move. */
    take: (ply, move, elapsedMs = 1000 * acks.length) => answer(ply, move, elapsedMs),
    /** My game as GET and `game` show it. */
    view: (elapsedMs = 1000 * acks.length) => ({ type: "game", ...view(elapsedMs) }),
    resign() {
      state = "resigned";
    },
    entry: (player) => anEntry(player, { state, placed: placed(table), score, ...progress() }),
  };
  const progress = () => ({ actions: acks.length, at_ms: atMs });
  const reject = (ply, code) => ({
    type: "reject",
    ply,
    code,
    detail: `${code} at ${ply}`,
    next_ply: acks.length,
  });

  function answer(ply, move, elapsedMs) {
    if (ply < acks.length) return acks[ply].move === move ? acks[ply] : reject(ply, "ply_conflict");
    if (state !== "racing") return reject(ply, "not_racing");
    if (ply > acks.length) return reject(ply, "ply_gap");
    const before = { table, score };
    if (move === "u") {
      if (!undo) return reject(ply, "undo_off");
      if (!history.length) return reject(ply, "nothing_to_undo");
      ({ table, score } = history.at(-1));
      history = history.slice(0, -1);
    } else {
      const played = play(table, move);
      if (played.refusal) return reject(ply, "illegal_move");
      table = played.table;
      history = undo ? [...history, before].slice(-UNDO_DEPTH) : [];
      score = scoreAfter(before);
    }
    if (placed(table) !== placed(before.table)) atMs = elapsedMs;
    if (isWon(table)) state = "won";
    acks.push(ack(ply, move, before.table, elapsedMs));
    if (move === "u") acks[ply].game = view(elapsedMs);
    return acks[ply];
  }

  function scoreAfter(before) {
    if (ruleset === "CH1") return isWon(table) ? 450 : 5 * placed(table) - 50;
    return before.score + 5 * Math.max(0, placed(table) - placed(before.table));
  }

  function ack(ply, move, before, elapsedMs) {
    const drawn = move === "d" ? before.stock.slice(0, draw) : [];
    const turnedUp = table.reserve.length < before.reserve.length ? table.reserve.slice(-1) : [];
    return {
      type: "ack",
      ply,
      move,
      revealed: move === "u" ? [] : [...drawn, ...turnedUp],
      score,
      placed: placed(table),
      at_ms: atMs,
      elapsed_ms: elapsedMs,
      hash: hashOf(table),
      state,
    };
  }

  function view(elapsedMs) {
    return {
      room: "room1",
      state,
      ply: acks.length,
      base,
      stock_count: table.stock.length,
      waste: [...table.waste],
      reserve_count: table.reserve.length,
      reserve_top: table.reserve.at(-1) ?? null,
      columns: table.columns.map((column) => [...column]),
      foundations: { ...table.foundations },
      position: "",
      hash: hashOf(table),
      legal_moves: [],
      undo_left: state === "racing" ? history.length : 0,
      score,
      placed: placed(table),
      at_ms: atMs,
      elapsed_ms: elapsedMs,
      started_at: STARTED_AT,
      ends_at: ENDS_AT,
    };
  }
  return game;
}

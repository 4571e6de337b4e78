/**
 * A finished game as a list of tables, with what each move was worth.
 *
 * @typedef {import("../rules/table.js").Table} Table
 * `tables`, `placed` and `scores` begin with the opening: entry n is how it stood after n moves.
 * @typedef {{tables: Table[], moves: string[], timesMs: number[], placed: number[],
 *   scores: number[]}} Replay
 */
import { play } from "../rules/moves.js";
import { isWon, placed, tableFromDeal } from "../rules/table.js";

const POINTS_PER_CARD = 5;
const DECK_COST = 50;
const RETURNED_ON_A_WIN = 500;

/**
 * Every table of a game, from its deal (GET /deals/{code}) and its moves (GET /games/{id}).
 * @param {Parameters<typeof tableFromDeal>[0]} deal
 * @param {{moves: string[], times_ms: number[]}} game
 * @returns {Replay}
 * @throws {Error} if the moves are none of this deal's
 */
export function replay(deal, { moves, times_ms: timesMs }) {
  const opening = tableFromDeal(deal);
  const steps = [{ table: opening, score: openingScore(opening) }];
  const undoable = [steps[0]];
  for (const move of moves) {
    if (move === "u") undoable.pop();
    else undoable.push(stepAfter(undoable[undoable.length - 1], move));
    if (!undoable.length) throw new Error("the game takes back more than was played");
    steps.push(undoable[undoable.length - 1]);
  }
  return {
    tables: steps.map(({ table }) => table),
    moves,
    timesMs,
    placed: steps.map(({ table }) => placed(table)),
    scores: steps.map(({ score }) => score),
  };
}

/**
 * @param {{table: Table, score: number}} step
 * @param {string} move
 */
function stepAfter(step, move) {
  const played = play(step.table, move);
  if ("refusal" in played) throw new Error(`${move} is refused by rule ${played.refusal.rule}`);
  return { table: played.table, score: scoreAfter(step, move, played.table) };
}

/** @param {Table} table */
function openingScore(table) {
  return table.ruleset === "CF1" ? 0 : winnings(table);
}

/**
 * @param {{score: number}} before
 * @param {string} move
 * @param {Table} table
 */
function scoreAfter({ score }, move, table) {
  if (table.ruleset === "CH1") return winnings(table);
  return score + (move.endsWith("f") ? POINTS_PER_CARD : 0);
}

/**
 * The dollars of a CH1 game. Rule P2.
 * @param {Table} table
 */
function winnings(table) {
  const returned = isWon(table) ? RETURNED_ON_A_WIN : POINTS_PER_CARD * placed(table);
  return returned - DECK_COST;
}

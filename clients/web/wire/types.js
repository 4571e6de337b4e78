/**
 * The shapes of the API that the page uses, as the server's OpenAPI and AsyncAPI documents have
 * them. Instants are RFC 3339 texts in UTC, times end in `_ms` or `_s`, piles are oldest first.
 * There is no code here.
 *
 * @typedef {{id: string, name: string, kind: "human" | "bot"}} Player
 *   The name is empty once the player has left for good.
 *
 * @typedef {"joined" | "ready" | "racing" | "won" | "resigned" | "out_of_time"} PlayerState
 * @typedef {"open" | "countdown" | "racing" | "finished" | "cancelled"} RoomState
 * @typedef {"CF1" | "CH1"} Ruleset
 * @typedef {1 | 3} Draw
 *
 * @typedef {object} Entry  how a player stands, without a rank
 * @property {Player} player
 * @property {PlayerState} state
 * @property {number} placed
 * @property {number} score
 * @property {number} actions
 * @property {number} at_ms  when `placed` last changed, on the player's own clock
 *
 * @typedef {Entry & {rank: number}} Standing
 *
 * @typedef {object} Room
 * @property {string} id
 * @property {"race" | "daily"} kind
 * @property {RoomState} state
 * @property {number} version
 * @property {Ruleset} ruleset
 * @property {Draw} draw
 * @property {boolean} sealed
 * @property {number} seats
 * @property {"public" | "unlisted"} visibility
 * @property {number} time_limit_s
 * @property {"host" | "ready" | "at"} start
 * @property {string | null} start_at
 * @property {number} countdown_s
 * @property {boolean} undo
 * @property {boolean} ranked
 * @property {string} title
 * @property {Player | null} host
 * @property {string} commitment
 * @property {string | null} code
 * @property {string | null} nonce
 * @property {string} created_at
 * @property {string | null} starts_at
 * @property {string | null} started_at
 * @property {string | null} ends_at
 * @property {string | null} finished_at
 * @property {Standing[]} standings  the first hundred
 * @property {number} player_count
 * @property {number} spectators
 * @property {string | null} rematch  the id of the next room
 *
 * @typedef {Room & {date: string, closes_at: string, winning_line: string[] | null}} Daily
 *
 * @typedef {object} RoomWish  what `POST /rooms` takes; all may be left out
 * @property {Ruleset} [ruleset]
 * @property {Draw} [draw]
 * @property {string} [code]
 * @property {boolean} [winnable]
 * @property {boolean} [sealed]
 * @property {number} [seats]
 * @property {"public" | "unlisted"} [visibility]
 * @property {number} [time_limit_s]
 * @property {"host" | "ready" | "at"} [start]
 * @property {string} [start_at]
 * @property {number} [countdown_s]
 * @property {boolean} [undo]
 * @property {boolean} [ranked]
 * @property {string} [title]
 *
 * @typedef {Record<"C" | "D" | "H" | "S", number>} Foundations
 *
 * @typedef {object} GameView  one's own game
 * @property {string} room
 * @property {PlayerState} state
 * @property {number} ply
 * @property {string} base
 * @property {number} stock_count
 * @property {string[]} waste
 * @property {number} reserve_count
 * @property {string | null} reserve_top
 * @property {string[][]} columns
 * @property {Foundations} foundations
 * @property {string} position
 * @property {string} hash
 * @property {string[]} legal_moves
 * @property {number} undo_left
 * @property {number} score
 * @property {number} placed
 * @property {number} at_ms
 * @property {number} elapsed_ms
 * @property {string} started_at
 * @property {string} ends_at
 *
 * @typedef {object} Ack
 * @property {number} ply
 * @property {string} move
 * @property {string[]} revealed
 * @property {number} score
 * @property {number} placed
 * @property {number} at_ms
 * @property {number} elapsed_ms
 * @property {string} hash
 * @property {PlayerState} state
 * @property {GameView} [game]  of an undo only
 *
 * @typedef {{ply: number, code: string, detail: string, next_ply: number}} Reject
 * @typedef {{acks: Ack[], reject: Reject | null}} Played
 *
 * @typedef {object} You
 * @property {Player} player
 * @property {boolean} host
 * @property {PlayerState} state
 * @property {Standing} entry
 * @property {string} [started_at]  of a daily: when one's own clock began
 * @property {string} [ends_at]
 *
 * @typedef {object} Welcome
 * @property {string} epoch
 * @property {number} offset
 * @property {boolean} recovered
 * @property {string} server_time
 * @property {Room | null} room
 *
 * @typedef {object} Fault  an `error` frame
 * @property {string} code
 * @property {string} detail
 * @property {string} [pointer]
 * @property {string} [state]
 * @property {number} [retry_after_ms]
 *
 * @typedef {{type: "joined", offset: number, player: Player}
 *   | {type: "left", offset: number, player: Player, host: Player | null}
 *   | {type: "kicked", offset: number, player: Player}
 *   | {type: "ready", offset: number, player: Player, ready: boolean}
 *   | {type: "renamed", offset: number, player: Player}
 *   | {type: "countdown", offset: number, starts_at: string}
 *   | {type: "started", offset: number, started_at: string, ends_at: string,
 *      code: string | null, nonce: string | null}
 *   | {type: "standings", offset: number, at: string, entries: Entry[]}
 *   | {type: "finished", offset: number, finished_at: string, code: string, nonce: string,
 *      standings: Standing[]}
 *   | {type: "cancelled", offset: number, reason: "host" | "empty" | "idle" | "replaced"}
 *   | {type: "rematch", offset: number, room: string}} RoomEvent
 *
 * @typedef {RoomEvent
 *   | ({type: "welcome"} & Welcome)
 *   | ({type: "you"} & You)
 *   | ({type: "game"} & GameView)
 *   | ({type: "ack"} & Ack)
 *   | ({type: "reject"} & Reject)
 *   | ({type: "error"} & Fault)
 *   | {type: "pong", t: number | string | null, server_time: string}} Frame  from the server
 *
 * @typedef {{epoch: string, offset: number}} Since
 *
 * @typedef {{type: "hello", token?: string, since?: Since}
 *   | {type: "move", ply: number, move: string}
 *   | {type: "ready", ready: boolean}
 *   | {type: "start"}
 *   | {type: "resign"}
 *   | {type: "sync"}
 *   | {type: "ping", t: number}} ClientFrame
 *
 * @typedef {{player: Player, points: [number, number][]}} Curve  points are [elapsed_ms, placed]
 *
 * @typedef {object} Deal
 * @property {string} code
 * @property {Ruleset} ruleset
 * @property {Draw} draw
 * @property {string} base
 * @property {string[]} deck
 * @property {string[]} reserve
 * @property {string[][]} columns
 * @property {string[]} stock
 * @property {Foundations} foundations
 * @property {string} position
 * @property {string} hash
 * @property {string[]} legal_moves
 *
 * @typedef {{id: string, room: string, player: Player, result: Standing}} GameSummary
 *
 * @typedef {object} Replay  a finished game, complete
 * @property {string} id
 * @property {string} room
 * @property {number} players  how many games the room has
 * @property {Player} player
 * @property {string} code
 * @property {string} nonce
 * @property {string} commitment
 * @property {Ruleset} ruleset
 * @property {Draw} draw
 * @property {boolean} undo
 * @property {number} time_limit_s
 * @property {string} started_at
 * @property {string} ended_at
 * @property {string[]} moves
 * @property {number[]} times_ms
 * @property {Standing} result
 *
 * @typedef {object} Outlook
 * @property {string} game
 * @property {number} ply
 * @property {number} placed
 * @property {"yes" | "no" | "unknown"} can_rise
 * @property {string[]} line
 * @property {number} positions
 *
 * @typedef {"wins" | "fastest" | "placed" | "streak" | "winnings" | "rating"} BoardName
 * @typedef {"day" | "week" | "month" | "all"} Period
 * @typedef {{ruleset: Ruleset, draw: Draw}} Variant
 *
 * @typedef {object} Board
 * @property {BoardName} board
 * @property {string} title
 * @property {string} description
 * @property {"wins" | "ms" | "cards" | "days" | "dollars" | "points"} unit
 * @property {"highest" | "lowest"} best
 * @property {Variant[]} variants
 *
 * @typedef {{rank: number, player: Player, value: number, games: number}} BoardItem
 *
 * @typedef {object} BoardPage
 * @property {BoardName} board
 * @property {Period} period
 * @property {string} as_of
 * @property {BoardItem[]} items
 * @property {string | null} next
 *
 * @typedef {object} RecentGame
 * @property {string} id
 * @property {string} room
 * @property {Ruleset} ruleset
 * @property {Draw} draw
 * @property {PlayerState} state
 * @property {number} placed
 * @property {number} score
 * @property {number} rank
 * @property {string} ended_at
 *
 * @typedef {{ruleset: Ruleset, draw: Draw, rating: number, uncertainty: number}} Rating
 *
 * @typedef {object} Profile
 * @property {Player} player
 * @property {number} games
 * @property {number} wins
 * @property {number | null} best_ms
 * @property {number} streak
 * @property {Rating[]} ratings
 * @property {RecentGame[]} recent_games
 *
 * @typedef {{id: string, label: string, created_at: string, current: boolean}} TokenInfo
 * @typedef {{id: string, label: string, created_at: string, token: string}} IssuedToken
 */

/**
 * @template T
 * @typedef {{items: T[], next: string | null}} Page
 */

/** @typedef {import("./calls.js").Problem} Problem */

export {};

/** What someone chooses for a new race, which choices fit together, and the wish they make. */

/**
 * @typedef {object} Choices
 * @property {string} title
 * @property {"CF1" | "CH1"} ruleset
 * @property {"1" | "3"} draw
 * @property {"random" | "winnable" | "code"} deal
 * @property {string} code
 * @property {boolean} sealed
 * @property {"host" | "ready" | "at"} start
 * @property {string} startAt  local, as `<input type="datetime-local">` writes it
 * @property {string} seats
 * @property {string} minutes
 * @property {string} countdown
 * @property {boolean} undo
 * @property {boolean} listed
 *
 * @typedef {"title" | "code" | "startAt" | "seats" | "minutes" | "countdown"} Typed
 */

/** @type {Readonly<Choices>} */
export const USUAL = Object.freeze({
  title: "",
  ruleset: "CF1",
  draw: "3",
  deal: "random",
  code: "",
  sealed: false,
  start: "host",
  startAt: "",
  seats: "8",
  minutes: "15",
  countdown: "5",
  undo: true,
  listed: true,
});

/** The least and the most of what is a number. */
export const BOUNDS = Object.freeze({ seats: [1, 100], minutes: [1, 120], countdown: [0, 60] });

/** @type {Record<string, readonly string[]>} */
const ONE_OF = {
  ruleset: ["CF1", "CH1"],
  draw: ["1", "3"],
  deal: ["random", "winnable", "code"],
  start: ["host", "ready", "at"],
};
const LONGEST_AHEAD_MS = 7 * 86_400_000;
const CODE = /^(CF1|CH1)-D([13])-(?:[A-Z]{7}|[A-Z]{28})$/;

/**
 * Reads choices that were kept, maybe by another version of the page; what does not fit is as usual.
 * A title, a code and a time were for one race only.
 * @param {unknown} kept
 * @returns {Choices}
 */
export function recall(kept) {
  const known = /** @type {Record<string, unknown>} */ (kept ?? {});
  const fits = Object.entries(USUAL).map(([name, usual]) => {
    const value = known[name];
    const same = typeof value === typeof usual && (ONE_OF[name]?.includes(String(value)) ?? true);
    return [name, same ? value : usual];
  });
  const { title, code, startAt } = USUAL;
  return { ...Object.fromEntries(fits), title, code, startAt };
}

/**
 * Reads a deal's code.
 * @param {string} text
 * @returns {{code: string, ruleset: "CF1" | "CH1", draw: "1" | "3"} | null}
 */
export function readCode(text) {
  const [code, ruleset, draw] = CODE.exec(text.trim().toUpperCase()) ?? [];
  if (!code || (ruleset === "CH1" && draw === "1")) return null;
  return {
    code,
    ruleset: /** @type {"CF1" | "CH1"} */ (ruleset),
    draw: /** @type {"1" | "3"} */ (draw),
  };
}

/**
 * Gives the choices as they can be together: what a code or the rules settle is settled.
 * @param {Choices} choices
 * @returns {Choices & {offered: {ruleset: string[], draw: string[], undo: boolean, sealed: boolean}}}
 */
export function settle(choices) {
  const byCode = choices.deal === "code";
  const read = byCode ? readCode(choices.code) : null;
  const ruleset = read?.ruleset ?? choices.ruleset;
  const hoyle = ruleset === "CH1";
  const draw = hoyle ? "3" : (read?.draw ?? choices.draw);
  const offered = {
    ruleset: read ? [ruleset] : ONE_OF.ruleset.slice(),
    draw: read || hoyle ? [draw] : ONE_OF.draw.slice(),
    undo: !hoyle,
    sealed: !byCode,
  };
  const undo = choices.undo && !hoyle;
  return { ...choices, ruleset, draw, undo, sealed: choices.sealed && !byCode, offered };
}

/**
 * Gives what is wrong with what was typed: a key of words for each such field.
 * @param {Choices} choices
 * @param {number} nowMs
 * @returns {Partial<Record<Typed, "new.codeBad" | "new.startPast" | "new.range">>}
 */
export function faultsOf(choices, nowMs) {
  /** @type {ReturnType<typeof faultsOf>} */
  const faults = {};
  if (choices.deal === "code" && !readCode(choices.code)) faults.code = "new.codeBad";
  const ahead = Date.parse(choices.startAt) - nowMs;
  if (choices.start === "at" && !(ahead > 0 && ahead <= LONGEST_AHEAD_MS))
    faults.startAt = "new.startPast";
  for (const name of /** @type {(keyof typeof BOUNDS)[]} */ (Object.keys(BOUNDS))) {
    const [least, most] = BOUNDS[name];
    const value = Number(choices[name]);
    if (!/^\d+$/.test(choices[name].trim()) || value < least || value > most)
      faults[name] = "new.range";
  }
  return faults;
}

/**
 * Makes the wish of choices without faults.
 * @param {Choices} choices
 * @returns {import("../wire/types.js").RoomWish}
 */
export function wishOf(choices) {
  const { ruleset, draw, deal, sealed, start, undo, ...rest } = settle(choices);
  const code = deal === "code" ? readCode(rest.code)?.code : undefined;
  return {
    ...(code
      ? { code }
      : { ruleset, draw: draw === "1" ? 1 : 3, winnable: deal === "winnable", sealed }),
    ...(ruleset === "CH1" ? {} : { undo }),
    start,
    ...(start === "at" ? { start_at: new Date(rest.startAt).toISOString() } : {}),
    seats: Number(rest.seats),
    time_limit_s: Number(rest.minutes) * 60,
    countdown_s: Number(rest.countdown),
    visibility: rest.listed ? "public" : "unlisted",
    title: rest.title.trim(),
  };
}

/**
 * Gives the field that the server's pointer means.
 * @param {string | undefined} pointer
 * @returns {Typed | null}
 */
export function fieldAt(pointer) {
  /** @type {Record<string, Typed>} */
  const fields = {
    "/title": "title",
    "/code": "code",
    "/start_at": "startAt",
    "/seats": "seats",
    "/time_limit_s": "minutes",
    "/countdown_s": "countdown",
  };
  return fields[pointer ?? ""] ?? null;
}

/**
 * Writes an instant as `<input type="datetime-local">` wants it, in local time.
 * @param {number} ms
 * @returns {string}
 */
export function localMinute(ms) {
  const date = new Date(ms);
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

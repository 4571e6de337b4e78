/** What runs a film: where it is, whether it plays, and what each command does to it. */

import { pauseBefore } from "./film.js";

/**
 * @typedef {import("./film.js").Film} Film
 * @typedef {import("./film.js").Speed} Speed
 * What the viewer wants: a step, a jump to a move by its number, or another speed.
 * @typedef {"start" | "back" | "toggle" | "forward" | "end" | "speed" | number} Command
 * @typedef {{ply: number, playing: boolean, animate: boolean}} Shown
 */

/** Up to this speed the cards are seen to move. */
const FASTEST_SEEN = 4;

/**
 * Puts a film on.
 * @param {Film} film
 * @param {{ply: number, speed: () => Speed, onShow: (film: Film, shown: Shown) => void}} options
 */
export function createReel(film, { ply, speed, onShow }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @param {number} next */
  function show(next, animate = false) {
    ply = Math.max(0, Math.min(next, film.moves.length));
    onShow(film, { ply, playing: timer !== undefined, animate });
  }

  function schedule() {
    timer = setTimeout(advance, pauseBefore(film, ply + 1, speed()));
  }

  function advance() {
    const seen = speed() === "true" || Number(speed()) <= FASTEST_SEEN;
    ply += 1;
    if (ply < film.moves.length) schedule();
    else timer = undefined;
    show(ply, seen);
  }

  function pause() {
    clearTimeout(timer);
    timer = undefined;
  }

  function play() {
    pause();
    if (ply === film.moves.length) ply = 0;
    if (film.moves.length) schedule();
    show(ply);
  }

  return {
    ply: () => ply,
    play,
    pause,
    show,
    /** @param {Command} command */
    take(command) {
      const wasPlaying = timer !== undefined;
      pause();
      if (command === "toggle" || command === "speed") {
        if (wasPlaying === (command === "speed")) play();
        else show(ply);
      } else if (typeof command === "number") show(command);
      else if (command === "start" || command === "end") show(command === "end" ? Infinity : 0);
      else show(ply + (command === "forward" ? 1 : -1), true);
    },
    /**
     * Puts another film on, at a move of it.
     * @param {Film} next
     * @param {number} at
     */
    change(next, at) {
      pause();
      film = next;
      show(at);
    },
  };
}

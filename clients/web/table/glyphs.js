/** The letters in the cards' corners, drawn as strokes: alike on every device. */

import { s } from "../parts/dom.js";

/**
 * Every letter that a language has on its cards, in a box 72 high: how wide it is, and its strokes.
 * @type {Record<string, [number, string]>}
 */
const GLYPHS = {
  0: [40, "M20 1C8 1 2 14 2 36C2 58 8 71 20 71C32 71 38 58 38 36C38 14 32 1 20 1Z"],
  1: [20, "M2 14L17 2V71"],
  2: [46, "M4 20C4 8 13 1 24 1C36 1 43 9 43 19C43 33 29 42 4 70H45"],
  3: [
    46,
    "M4 12C8 5 15 1 23 1C35 1 42 8 42 18C42 28 35 34 21 34C36 34 44 42 44 52C44 64 35 71 23 71C13 71 6 66 2 58",
  ],
  4: [48, "M36 71V2L2 52H47"],
  5: [46, "M41 2H10L7 33C12 28 18 26 24 26C37 26 44 35 44 48C44 62 36 71 23 71C14 71 6 67 2 59"],
  6: [
    46,
    "M40 10C36 4 31 1 25 1C10 1 2 16 2 40C2 60 10 71 24 71C36 71 44 62 44 49C44 36 36 28 25 28C14 28 5 35 2 44",
  ],
  7: [44, "M2 2H43L17 71"],
  8: [
    46,
    "M23 34C13 34 6 27 6 18C6 8 13 1 23 1C33 1 40 8 40 18C40 27 33 34 23 34C10 34 2 42 2 53C2 64 10 71 23 71C36 71 44 64 44 53C44 42 36 34 23 34Z",
  ],
  9: [
    46,
    "M6 62C10 68 15 71 21 71C36 71 44 56 44 32C44 12 36 1 22 1C10 1 2 10 2 23C2 36 10 44 21 44C32 44 41 37 44 28",
  ],
  A: [50, "M2 71L25 2L48 71M10 48H40"],
  D: [46, "M4 2V71H18C36 71 44 58 44 37C44 15 36 2 18 2Z"],
  E: [40, "M38 2H4V71H39M4 36H34"],
  J: [34, "M31 2V50C31 64 26 71 16 71C8 71 2 66 2 56"],
  K: [46, "M4 2V71M42 2L5 44M17 31L44 71"],
  Q: [52, "M26 1C10 1 2 15 2 36C2 58 10 71 26 71C42 71 50 58 50 36C50 15 42 1 26 1ZM31 50L51 76"],
  n: [36, "M4 28V71M4 46C8 34 14 28 21 28C30 28 34 34 34 44V71"],
};

const HEIGHT = 72;
const BETWEEN = 13;

/**
 * Draws letters side by side; gives them with their width.
 * @param {string} text
 * @param {{x: number, y: number, height: number}} place  of their upper left corner
 */
export function drawLetters(text, { x, y, height }) {
  let width = -BETWEEN;
  const strokes = [...text].map((letter) => {
    const [wide, d] = GLYPHS[letter] ?? GLYPHS[0];
    const path = s("path", { d, transform: `translate(${width + BETWEEN} 0)` });
    width += BETWEEN + wide;
    return path;
  });
  const scale = height / HEIGHT;
  const transform = `translate(${x} ${y}) scale(${scale})`;
  return { element: s("g", { class: "letters", transform }, strokes), width: width * scale };
}

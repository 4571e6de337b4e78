/** QR codes: byte mode with UTF-8, error correction M, versions 1 to 10. */

import { bitsOf, encode } from "./qr_codewords.js";

/**
 * A grid under construction; `set` modules belong to the pattern, not to the data.
 * @typedef {{size: number, dark: boolean[][], set: boolean[][]}} Grid
 */

/** The eight masks: each turns over the modules for which it says true. */
/** @type {((x: number, y: number) => boolean)[]} */
const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/**
 * Gives the modules of a text's QR code, row by row, true for dark, without the quiet zone.
 * @param {string} text
 * @returns {boolean[][]}
 * @throws {RangeError} if it is longer than 213 bytes of UTF-8
 */
export function qrMatrix(text) {
  const { version, codewords } = encode(text);
  const grid = emptyGrid(version);
  fill(grid, codewords);
  const masked = MASKS.map((_, mask) => withMask(grid, mask));
  const penalties = masked.map(penalty);
  return masked[penalties.indexOf(Math.min(...penalties))];
}

/** @param {number} size */
function square(size) {
  return Array.from({ length: size }, () => /** @type {boolean[]} */ (new Array(size).fill(false)));
}

/**
 * A grid with all that does not depend on the text; the mask's number keeps its place.
 * @param {number} version
 * @returns {Grid}
 */
function emptyGrid(version) {
  const size = 17 + 4 * version;
  const grid = { size, dark: square(size), set: square(size) };
  drawFixed(grid, version);
  drawFormat(grid, 0);
  if (version >= 7) drawVersion(grid, version);
  return grid;
}

/**
 * @param {Grid} grid
 * @param {number} x
 * @param {number} y
 * @param {boolean} isDark
 */
function put({ dark, set }, x, y, isDark) {
  dark[y][x] = isDark;
  set[y][x] = true;
}

/**
 * Draws nested squares around a middle, dark where `isDark` says so of the distance to it.
 * @param {Grid} grid
 * @param {{x: number, y: number, reach: number}} place
 * @param {(distance: number) => boolean} isDark
 */
function drawSquares(grid, { x, y, reach }, isDark) {
  for (let dy = -reach; dy <= reach; dy++) {
    for (let dx = -reach; dx <= reach; dx++) {
      const inside = Math.min(x + dx, y + dy) >= 0 && Math.max(x + dx, y + dy) < grid.size;
      if (inside) put(grid, x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
    }
  }
}

/**
 * @param {Grid} grid
 * @param {number} version
 */
function drawFixed(grid, version) {
  const { size } = grid;
  for (let i = 0; i < size; i++) {
    put(grid, i, 6, i % 2 === 0);
    put(grid, 6, i, i % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ]) {
    drawSquares(grid, { x, y, reach: 4 }, (distance) => distance !== 2 && distance !== 4);
  }
  const last = size - 7;
  const places = version === 1 ? [] : version < 7 ? [6, last] : [6, (size - 1) / 2, last];
  for (const x of places) {
    for (const y of places) {
      const atFinder = Math.min(x, y) === 6 && (x === y || Math.max(x, y) === last);
      if (!atFinder) drawSquares(grid, { x, y, reach: 2 }, (distance) => distance !== 1);
    }
  }
}

/**
 * Appends the check bits of a cyclic code.
 * @param {number} value
 * @param {{generator: number, bits: number}} code
 */
function checked(value, { generator, bits }) {
  let rest = value;
  for (let i = 0; i < bits; i++) rest = (rest << 1) ^ (rest >>> (bits - 1) ? generator : 0);
  return (value << bits) | rest;
}

/**
 * Writes the mask's number, twice; error correction M is 00 before it.
 * @param {Grid} grid
 * @param {number} mask
 */
function drawFormat(grid, mask) {
  const bits = bitsOf(checked(mask, { generator: 0x537, bits: 10 }) ^ 0x5412, 15);
  const { size } = grid;
  const first = [0, 1, 2, 3, 4, 5, 7, 8]; // past the timing pattern
  bits.forEach((bit, i) => {
    const isDark = bit === 1;
    if (i < 8) put(grid, first[i], 8, isDark);
    else put(grid, 8, first[14 - i], isDark);
    if (i < 7) put(grid, 8, size - 1 - i, isDark);
    else put(grid, size - 15 + i, 8, isDark);
  });
  put(grid, 8, size - 8, true);
}

/**
 * @param {Grid} grid
 * @param {number} version
 */
function drawVersion(grid, version) {
  bitsOf(checked(version, { generator: 0x1f25, bits: 12 }), 18).forEach((bit, i) => {
    const [far, near] = [grid.size - 9 - (i % 3), 5 - Math.floor(i / 3)];
    put(grid, far, near, bit === 1);
    put(grid, near, far, bit === 1);
  });
}

/**
 * Lays the codewords into what is free: two columns at a time from the right, up and down by turns.
 * @param {Grid} grid
 * @param {number[]} codewords
 */
function fill({ size, dark, set }, codewords) {
  const bits = codewords.flatMap((word) => bitsOf(word, 8));
  let next = 0;
  let upward = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2, upward = !upward) {
    for (let i = 0; i < size; i++) {
      const y = upward ? size - 1 - i : i;
      for (const x of [right, right - 1]) if (!set[y][x]) dark[y][x] = bits[next++] === 1;
    }
  }
}

/**
 * @param {Grid} grid
 * @param {number} mask
 * @returns {boolean[][]}
 */
function withMask({ size, dark, set }, mask) {
  const turned = dark.map((row, y) =>
    row.map((isDark, x) => isDark !== (!set[y][x] && MASKS[mask](x, y))),
  );
  drawFormat({ size, dark: turned, set: square(size) }, mask);
  return turned;
}

/**
 * Says how hard a code would be to read: for long runs, blocks, what looks like a corner, and an
 * uneven share of dark modules.
 * @param {boolean[][]} dark
 */
function penalty(dark) {
  const columns = dark.map((_, x) => dark.map((row) => row[x]));
  const lines = [...dark, ...columns].map((line) => line.map(Number).join(""));
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []);
  const corners = lines.flatMap((line) => line.match(/(?=10111010000|00001011101)/g) ?? []);
  const modules = dark.length ** 2;
  const share = dark.flat().filter(Boolean).length / modules;
  return (
    runs.reduce((sum, run) => sum + run.length - 2, 0) +
    3 * blocksOf(dark) +
    40 * corners.length +
    10 * Math.floor(Math.abs(share - 0.5) * 20)
  );
}

/** @param {boolean[][]} dark */
function blocksOf(dark) {
  let blocks = 0;
  for (let y = 1; y < dark.length; y++) {
    for (let x = 1; x < dark.length; x++) {
      const same = dark[y][x];
      if (dark[y - 1][x] === same && dark[y][x - 1] === same && dark[y - 1][x - 1] === same)
        blocks++;
    }
  }
  return blocks;
}

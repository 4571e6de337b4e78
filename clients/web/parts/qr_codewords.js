/** What a QR code says, as its codewords: bytes, then Reed–Solomon words that mend a damaged code. */

const ENCODER = new TextEncoder();

/**
 * How a version of error correction M divides its codewords: `blocks` of nearly equal length, with
 * `mending` words for each.
 * @typedef {{version: number, total: number, blocks: number, mending: number}} Version
 */

/** @type {readonly Version[]} */
export const VERSIONS = [
  [26, 1, 10],
  [44, 1, 16],
  [70, 1, 26],
  [100, 2, 18],
  [134, 2, 24],
  [172, 4, 16],
  [196, 4, 18],
  [242, 4, 22],
  [292, 5, 22],
  [346, 5, 26],
].map(([total, blocks, mending], i) => ({ version: i + 1, total, blocks, mending }));

/**
 * Encodes a text in the smallest version that holds it.
 * @param {string} text
 * @returns {{version: number, codewords: number[]}}
 * @throws {RangeError} if the text is longer than version 10 holds: 213 bytes of UTF-8
 */
export function encode(text) {
  const bytes = ENCODER.encode(text);
  const shape = VERSIONS.find((one) => bytes.length <= capacity(one));
  if (!shape) throw new RangeError(`${bytes.length} bytes are more than a QR code of ours holds`);
  return { version: shape.version, codewords: interleave(dataWords(bytes, shape), shape) };
}

/** @param {Version} shape */
function dataCount({ total, blocks, mending }) {
  return total - blocks * mending;
}

/** @param {Version} shape */
function lengthBits({ version }) {
  return version < 10 ? 8 : 16;
}

/** @param {Version} shape */
function capacity(shape) {
  return Math.floor((dataCount(shape) * 8 - 4 - lengthBits(shape)) / 8);
}

/**
 * Byte mode, the length, the bytes and four zero bits; then the two filling words by turns.
 * @param {Uint8Array} bytes
 * @param {Version} shape
 */
function dataWords(bytes, shape) {
  const count = dataCount(shape);
  const bits = [
    ...bitsOf(0b0100, 4),
    ...bitsOf(bytes.length, lengthBits(shape)),
    ...[...bytes].flatMap((byte) => bitsOf(byte, 8)),
    ...bitsOf(0, 4),
  ].slice(0, count * 8);
  const words = Array.from({ length: Math.ceil(bits.length / 8) }, (_, i) =>
    bits.slice(i * 8, i * 8 + 8).reduce((word, bit, place) => word | (bit << (7 - place)), 0),
  );
  for (let filling = 0xec; words.length < count; filling ^= 0xec ^ 0x11) words.push(filling);
  return words;
}

/**
 * The bits of a number, the highest first.
 * @param {number} value
 * @param {number} count
 */
export function bitsOf(value, count) {
  return Array.from({ length: count }, (_, i) => (value >>> (count - 1 - i)) & 1);
}

/**
 * Cuts the words into blocks, the shorter ones first, and deals them out word by word, so that a
 * stain on the code hurts all blocks a little.
 * @param {number[]} words
 * @param {Version} shape
 */
function interleave(words, { total, blocks, mending }) {
  const short = Math.floor(total / blocks) - mending;
  const longFrom = blocks - (total % blocks);
  const start = (/** @type {number} */ i) => i * short + Math.max(0, i - longFrom);
  const data = Array.from({ length: blocks }, (_, i) => words.slice(start(i), start(i + 1)));
  const divisor = generator(mending);
  return [...byTurns(data), ...byTurns(data.map((block) => remainder(block, divisor)))];
}

/** @param {number[][]} blocks */
function byTurns(blocks) {
  const longest = Math.max(...blocks.map((block) => block.length));
  return Array.from({ length: longest }, (_, i) => blocks.map((block) => block[i]))
    .flat()
    .filter((word) => word !== undefined);
}

/**
 * Multiplies in the field of 256 elements that QR codes use.
 * @param {number} a
 * @param {number} b
 */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product >>> 7 ? 0x11d : 0);
    if ((b >>> bit) & 1) product ^= a;
  }
  return product;
}

/**
 * The polynomial (x − 1)(x − 2)(x − 4)… of a degree, without its leading 1.
 * @param {number} degree
 */
function generator(degree) {
  let polynomial = [1];
  for (let i = 0, root = 1; i < degree; i++, root = times(root, 2)) {
    const shifted = [...polynomial, 0];
    polynomial = shifted.map((word, at) => word ^ (at ? times(polynomial[at - 1], root) : 0));
  }
  return polynomial.slice(1);
}

/**
 * The words that mend a block: what is left when it is divided by the generator.
 * @param {number[]} block
 * @param {number[]} divisor
 */
function remainder(block, divisor) {
  /** @type {number[]} */
  const start = new Array(divisor.length).fill(0);
  return block.reduce((rest, word) => {
    const factor = word ^ rest[0];
    return [...rest.slice(1), 0].map((value, at) => value ^ times(divisor[at], factor));
  }, start);
}

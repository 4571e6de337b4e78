/** SHA-256, for pages on plain HTTP too, where browsers keep theirs back. */

const BLOCK = 64;
const TAIL = 9; // the bit after the message, and eight bytes for its length

/** The first 32 bits behind the point of roots of the first primes. */
const [START, ROUNDS] = [
  [8, 1 / 2],
  [64, 1 / 3],
].map(([count, power]) => primes(count).map((prime) => ((prime ** power % 1) * 2 ** 32) | 0));

/**
 * Gives the SHA-256 of a text's UTF-8, as 64 hex digits.
 * @param {string} text
 * @returns {string}
 */
export function sha256Hex(text) {
  const bytes = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + TAIL) / BLOCK) * BLOCK));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setBigUint64(padded.byteLength - 8, BigInt(bytes.length * 8));
  let state = START;
  for (let at = 0; at < padded.byteLength; at += BLOCK) state = compress(state, padded, at);
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** @param {number} count */
function primes(count) {
  /** @type {number[]} */
  const found = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

/**
 * @param {number} word
 * @param {number} by
 */
function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/**
 * The words of a block's 64 rounds.
 * @param {DataView} padded
 * @param {number} at
 */
function schedule(padded, at) {
  const words = Array.from({ length: 16 }, (_, i) => padded.getInt32(at + 4 * i));
  for (let i = 16; i < 64; i++) {
    const [early, late] = [words[i - 15], words[i - 2]];
    const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const two = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words.push((words[i - 16] + one + words[i - 7] + two) | 0);
  }
  return words;
}

/**
 * @param {number[]} state
 * @param {DataView} padded
 * @param {number} at
 */
function compress(state, padded, at) {
  let [a, b, c, d, e, f, g, h] = state;
  schedule(padded, at).forEach((word, i) => {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const one =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + ROUNDS[i] + word) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  });
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]) | 0);
}

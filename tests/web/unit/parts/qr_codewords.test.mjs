import assert from "node:assert/strict";
import { test } from "node:test";

import { encode, VERSIONS } from "../../../../clients/web/parts/qr_codewords.js";

const MOST = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213];

/** Powers of 2 in the field, written out once: apart from the multiplication under test. */
const POWERS = Array.from({ length: 255 }, (_, i) => i).reduce(
  (powers) => [...powers, (powers.at(-1) << 1) ^ (powers.at(-1) > 127 ? 0x11d : 0)],
  [1],
);

/** The words of one block, as readers gather them. */
function blockOf(codewords, { blocks, mending, total }, block) {
  const data = codewords.slice(0, total - blocks * mending);
  const repair = codewords.slice(data.length);
  const short = Math.floor(data.length / blocks);
  const even = data.slice(0, short * blocks).filter((_, i) => i % blocks === block);
  const longFrom = blocks - (data.length % blocks);
  const last = block >= longFrom ? [data[short * blocks + block - longFrom]] : [];
  return [...even, ...last, ...repair.filter((_, i) => i % blocks === block)];
}

/** The value of a block's polynomial at a power of 2: 0 for every one of its roots. */
function valueAt(words, power) {
  const logs = new Map(POWERS.map((value, log) => [value, log % 255]));
  return words.reduce((sum, word) => {
    const shifted = sum ? POWERS[(logs.get(sum) + power) % 255] : 0;
    return shifted ^ word;
  }, 0);
}

test("a text goes into the smallest version that holds it", () => {
  MOST.forEach((most, i) => {
    assert.equal(encode("x".repeat(most)).version, i + 1);
    if (most < 213) assert.equal(encode("x".repeat(most + 1)).version, i + 2);
  });
});

test("what is longer than version 10 holds is refused", () => {
  assert.throws(() => encode("x".repeat(214)), RangeError);
  assert.throws(() => encode("ž".repeat(107)), RangeError);
});

test("the first words say byte mode, the length and the text; then come the filling words", () => {
  const { codewords } = encode("Hi");
  assert.deepEqual(codewords.slice(0, 8), [0x40, 0x24, 0x86, 0x90, 0xec, 0x11, 0xec, 0x11]);
});

test("every block's words have all the roots of its generator", () => {
  for (const [i, most] of MOST.entries()) {
    const shape = VERSIONS[i];
    const { codewords } = encode("Canfield".repeat(27).slice(0, most));
    assert.equal(codewords.length, shape.total);
    for (let block = 0; block < shape.blocks; block++) {
      const words = blockOf(codewords, shape, block);
      for (let root = 0; root < shape.mending; root++) assert.equal(valueAt(words, root), 0);
    }
  }
});

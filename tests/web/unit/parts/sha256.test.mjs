import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { sha256Hex } from "../../../../clients/web/parts/sha256.js";

const ofNode = (text) => createHash("sha256").update(text, "utf8").digest("hex");

test("the published example comes out", () => {
  assert.equal(
    sha256Hex("abc"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

test("texts of every length around the blocks have the hash that others give them", () => {
  for (let length = 0; length < 200; length++) {
    const text = "CF1-D3-AAAAACL:0123456789abcdef".repeat(7).slice(0, length);
    assert.equal(sha256Hex(text), ofNode(text));
  }
});

test("a text is hashed as UTF-8", () => {
  assert.equal(sha256Hex("Šećer ♥ 🂡"), ofNode("Šećer ♥ 🂡"));
});

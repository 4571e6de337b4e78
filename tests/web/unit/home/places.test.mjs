import assert from "node:assert/strict";
import { test } from "node:test";

import { placeOf } from "../../../../clients/web/home/places.js";

test("a room is found by its letters, by a link, and by a link with more behind it", () => {
  for (const text of [
    "k3x9q2ab",
    "  K3X9Q2AB ",
    "https://race.example/rooms/k3x9q2ab",
    "http://10.0.0.7:8000/rooms/k3x9q2ab?from=qr",
    "Come! https://race.example/rooms/k3x9q2ab/",
  ]) {
    assert.deepEqual(placeOf(text), { room: "k3x9q2ab" }, text);
  }
});

test("a deal's code leads to a new race with it, in capitals", () => {
  assert.deepEqual(placeOf(" cf1-d3-aaaaacl "), { path: "/new?code=CF1-D3-AAAAACL" });
  assert.deepEqual(placeOf("CH1-D3-AAAAACL"), { path: "/new?code=CH1-D3-AAAAACL" });
});

test("a link to a replay leads there", () => {
  assert.deepEqual(placeOf("https://race.example/games/g7"), { path: "/games/g7" });
});

test("anything else leads nowhere, another path of a link included", () => {
  for (const text of [
    "",
    "ab",
    "CH1-D1-AAAAACL",
    "CF1-D3-AAAA",
    "two words",
    "https://race.example/help",
    "žžžžž",
  ]) {
    assert.equal(placeOf(text), null, text);
  }
});

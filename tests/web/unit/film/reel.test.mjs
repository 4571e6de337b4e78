import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { createReel } from "../../../../clients/web/film/reel.js";

const FILM = {
  tables: [],
  moves: ["d", "wf", "d"],
  timesMs: [400, 1000, 1500],
  placed: [],
  scores: [],
};

/** A reel with the film on, what it has shown, and the speed it is asked to go at. */
function aReel(ply = 0) {
  const shown = [];
  const wanted = { speed: "1" };
  const reel = createReel(FILM, {
    ply,
    speed: () => wanted.speed,
    onShow: (_film, { ply: at, playing }) => shown.push(playing ? [at] : at),
  });
  return { reel, shown, wanted };
}

test("steps and jumps stay between the deal and the last move", () => {
  const { reel, shown } = aReel();
  for (const command of ["back", "forward", "end", "forward", "start", 2, 99]) reel.take(command);
  assert.deepEqual(shown, [0, 1, 3, 3, 0, 2, 3]);
});

test("it plays to the end, stops there, and plays again from the start", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { reel, shown } = aReel(1);
  reel.take("toggle");
  mock.timers.tick(1000);
  mock.timers.tick(1000);
  assert.deepEqual(shown, [[1], [2], 3]);
  mock.timers.tick(9000);
  reel.take("toggle");
  assert.deepEqual(shown.slice(3), [[0]]);
  mock.timers.reset();
});

test("any step pauses it; another speed does not, and sets nothing going", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { reel, shown, wanted } = aReel();
  reel.take("speed");
  reel.take("toggle");
  wanted.speed = "16";
  reel.take("speed");
  mock.timers.tick(63);
  reel.take("back");
  mock.timers.tick(9000);
  assert.deepEqual(shown, [0, [0], [0], [1], 0]);
  mock.timers.reset();
});

test("another film is put on where it is asked to be, and rests", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { reel, shown } = aReel();
  reel.play();
  reel.change({ ...FILM, moves: ["d"] }, 5);
  mock.timers.tick(9000);
  assert.deepEqual(shown, [[0], 1]);
  mock.timers.reset();
});

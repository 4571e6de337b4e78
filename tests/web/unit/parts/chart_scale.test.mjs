import assert from "node:assert/strict";
import { test } from "node:test";

import {
  MOST_NAMED,
  partLines,
  scaleOf,
  stepPath,
  timeTicks,
} from "../../../../clients/web/parts/chart_scale.js";

const BOX = { width: 400, height: 200, top: 10, right: 20, bottom: 30, left: 30 };
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Lines of so many players, the one at `mine` being oneself. */
function lines(count, mine = -1) {
  return Array.from({ length: count }, (_, i) => ({
    name: `p${i}`,
    points: [[0, 1]],
    me: i === mine,
  }));
}

test("up to twelve lines are all named", () => {
  const { named, rest } = partLines(lines(MOST_NAMED));
  assert.equal(named.length, MOST_NAMED);
  assert.deepEqual(rest, []);
});

test("of more lines the first twelve are named", () => {
  const { named, rest } = partLines(lines(40, 3));
  assert.deepEqual(
    named.map(({ name }) => name),
    lines(12).map(({ name }) => name),
  );
  assert.equal(rest.length, 28);
});

test("one's own line is named however far back it stands", () => {
  const { named, rest } = partLines(lines(40, 33));
  assert.equal(named.length, MOST_NAMED);
  assert.equal(named.at(-1).name, "p33");
  assert.equal(rest.length, 28);
  assert.ok(!rest.some(({ me }) => me));
});

test("a chart reaches a little beyond the last point, and up to a whole suit", () => {
  const scale = scaleOf(
    [
      {
        name: "Ana",
        points: [
          [0, 1],
          [100 * SECOND, 14],
        ],
      },
    ],
    15 * MINUTE,
    BOX,
  );
  assert.equal(scale.endMs, 105 * SECOND);
  assert.equal(scale.most, 26);
  assert.deepEqual(scale.cardTicks, [0, 13, 26]);
});

test("no time is drawn beyond the limit", () => {
  const scale = scaleOf(
    [
      {
        name: "Ana",
        points: [
          [0, 1],
          [899 * SECOND, 14],
        ],
      },
    ],
    15 * MINUTE,
    BOX,
  );
  assert.equal(scale.endMs, 15 * MINUTE);
});

test("the corners of the plot are at the margins", () => {
  const { x, y, endMs, most } = scaleOf(
    [
      {
        name: "Ana",
        points: [
          [0, 1],
          [60_000, 9],
        ],
      },
    ],
    MINUTE,
    BOX,
  );
  assert.deepEqual([x(0), x(endMs), y(0), y(most)], [30, 380, 170, 10]);
});

test("players who placed nothing still have a chart", () => {
  const scale = scaleOf([{ name: "Ana", points: [[0, 1]] }], 15 * MINUTE, BOX);
  assert.equal(scale.most, 13);
  assert.deepEqual(scale.cardTicks, [0, 5, 10]);
  assert.ok(scale.endMs >= 10 * SECOND);
  assert.ok(scaleOf([], 15 * MINUTE, BOX).endMs >= 10 * SECOND);
});

test("ticks are round times, no more than there is room for", () => {
  assert.deepEqual(
    timeTicks(15 * MINUTE, 5),
    [0, 5, 10, 15].map((minutes) => minutes * MINUTE),
  );
  assert.deepEqual(
    timeTicks(50 * SECOND, 5),
    [0, 10, 20, 30, 40, 50].map((s) => s * SECOND),
  );
  assert.equal(timeTicks(30 * MINUTE, 2).length, 3);
});

test("a line stays level until the next point", () => {
  const same = (value) => value;
  assert.equal(
    stepPath(
      [
        [0, 1],
        [10, 2],
        [12.34, 1],
      ],
      { x: same, y: same },
    ),
    "M0 1H10V2H12.3V1",
  );
});

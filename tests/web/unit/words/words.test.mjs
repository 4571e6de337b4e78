import assert from "node:assert/strict";
import { test } from "node:test";

import {
  chooseLanguage,
  clockText,
  dateText,
  fill,
  isKey,
  language,
  number,
  t,
} from "../../../../clients/web/words/words.js";

test("values take the places that bear their names", () => {
  assert.equal(fill("{a} and {b}, {a}", { a: "x", b: "y" }, "en"), "x and y, x");
});

test("a value is text, whatever is in it", () => {
  assert.equal(fill("By {name}", { name: "{n} $& <b>", n: "7" }, "en"), "By {n} $& <b>");
});

test("a place without a value stays, to be seen", () => {
  assert.equal(fill("{n} of {of}", { n: 1 }, "en"), "1 of {of}");
});

test("numbers are written as the language writes them, text as it is", () => {
  const written = (tag) => fill("{n}", { n: 12345.5 }, tag).replace(/\s/g, " ");
  assert.deepEqual(["en", "vi", "hr", "sv"].map(written), [
    "12,345.5",
    "12.345,5",
    "12.345,5",
    "12 345,5",
  ]);
  assert.equal(fill("{n}", { n: "12345" }, "en"), "12345");
});

test("a count chooses the form that its language has for it", () => {
  const cards = { one: "{n} karta", few: "{n} karte", other: "{n} karata" };
  const said = [0, 1, 2, 4, 5, 11, 12, 21, 22, 52].map((n) => fill(cards, { n }, "hr"));
  assert.deepEqual(said, [
    "0 karata",
    "1 karta",
    "2 karte",
    "4 karte",
    "5 karata",
    "11 karata",
    "12 karata",
    "21 karta",
    "22 karte",
    "52 karte",
  ]);
  assert.equal(fill({ one: "one", other: "more" }, { n: "1" }, "en"), "one");
});

test("without a count, or without the form for it, the other form is said", () => {
  assert.equal(fill({ one: "one", other: "more" }, {}, "en"), "more");
  assert.equal(fill({ other: "more" }, { n: 1 }, "en"), "more");
});

test("who asks for a language gets it, whatever the browser speaks", () => {
  assert.equal(chooseLanguage("sv", ["hr-HR", "en"]), "sv");
});

test("else it is the first of the browser's that there is, by its language alone", () => {
  assert.equal(chooseLanguage("", ["de-DE", "HR-hr", "sv"]), "hr");
  assert.equal(chooseLanguage("", ["sv-FI"]), "sv");
});

test("a language that there is not gives way to the next, and at last to English", () => {
  assert.equal(chooseLanguage("tlh", ["vi-VN"]), "vi");
  assert.equal(chooseLanguage("", ["de", "constructor"]), "en");
  assert.equal(chooseLanguage("", []), "en");
});

test("the page speaks English until another language is loaded", () => {
  assert.equal(language(), "en");
  assert.equal(t("app.close"), "Close");
  assert.equal(t("home.players", { n: 1 }), "1 player so far");
  assert.equal(t("home.players", { n: 1234 }), "1,234 players so far");
});

test("a key made at run time is one only if there are words under it", () => {
  assert.ok(isKey("problem.offline"));
  assert.ok(!isKey("problem.of_tomorrow"));
  assert.ok(!isKey("toString"));
});

test("numbers take the options of their kind", () => {
  assert.equal(number(1234567), "1,234,567");
  assert.equal(number(0.256, { style: "percent", maximumFractionDigits: 0 }), "26%");
});

/** Does something as in a browser of another place; then all is as it was. */
function elsewhere({ zone = "UTC", languages = ["en-US"] }, action) {
  const was = { zone: process.env.TZ, navigator: globalThis.navigator };
  const browse = (value) =>
    Object.defineProperty(globalThis, "navigator", { value, configurable: true });
  try {
    process.env.TZ = zone;
    browse({ languages });
    action();
  } finally {
    browse(was.navigator);
    if (was.zone === undefined) delete process.env.TZ;
    else process.env.TZ = was.zone;
  }
}

test("a day is that day everywhere, an instant as the reader's clock has it", () => {
  elsewhere({ zone: "Pacific/Honolulu" }, () => {
    assert.equal(dateText("2026-11-30"), "November 30, 2026");
    assert.match(dateText("2026-11-30T08:25:00Z", "moment"), /^Nov 29, 2026, 10:25\sPM$/);
    assert.match(dateText("2026-11-30T08:25:00Z", "time"), /^10:25\sPM$/);
  });
});

test("a day is written as in the browser's country, where it has one of our language", () => {
  const written = (languages) => {
    let text = "";
    elsewhere({ languages }, () => (text = dateText("2026-11-30")));
    return text;
  };
  assert.equal(written(["sv-SE", "en-GB", "en-US"]), "30 November 2026");
  assert.equal(written(["en-US", "en-GB"]), "November 30, 2026");
  assert.equal(written(["sv-SE"]), "November 30, 2026");
});

test("a clock counts whole seconds, and hours only where there are some", () => {
  assert.equal(clockText(0), "0:00");
  assert.equal(clockText(999), "0:00");
  assert.equal(clockText(65_000), "1:05");
  assert.equal(clockText(59 * 60_000 + 59_999), "59:59");
  assert.equal(clockText(3_600_000), "1:00:00");
  assert.equal(clockText(3_725_000), "1:02:05");
  assert.equal(clockText(-5), "0:00");
});

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { LANGUAGES } from "../../../../clients/web/words/words.js";

/** @typedef {import("../../../../clients/web/words/words.js").Entry} Entry */

/** What is written alike in English and another language. */
const ALIKE_EVERYWHERE = ["app.name", "help.enter", "help.escape", "new.cf1"];
/** @type {Record<string, string[]>} */
const ALIKE = {
  vi: [],
  hr: ["room.bot"],
  sv: ["boards.period", "boards.title.rating", "boards.unit.points", "new.startTime", "room.bot"],
};

/** What stands around a quotation, and for what is left out, in each language. */
/** @type {Record<string, string>} */
const QUOTES = { en: "“”’", vi: "“”", hr: "„”", sv: "”" };

/** Counts of cards that move together: never 21, which Croatian says as it says 1. */
const NEVER_MANY = ["refusal.tooFew", "table.held", "table.toColumn"];

/** What the header has room for. */
const IN_THE_HEADER = ["app.daily", "app.nav.boards", "app.nav.help"];
const HEADER_LETTERS = 10;

/** @type {Record<string, Record<string, Entry>>} */
const WORDS = {};
for (const code of Object.keys(LANGUAGES)) {
  WORDS[code] = (await import(`../../../../clients/web/words/${code}.js`))[code];
}
const ENGLISH = WORDS.en;
const EVERY = Object.entries(WORDS);
const OTHERS = EVERY.filter(([code]) => code !== "en");

/** Gives an entry's texts by the form of the plural; what has no plural is all "other". */
const formsOf = (/** @type {Entry} */ entry) =>
  typeof entry === "string" ? { other: entry } : entry;

/** Gives the names of the holes in a text, each once. */
const holesOf = (/** @type {string} */ text) =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();

/** Says whether a text has something to say, beside what fills it. */
const hasLetters = (/** @type {string} */ text) => /\p{L}/u.test(text.replace(/\{\w+\}/g, ""));

/** Gives the names of the holes that an entry has in any of its forms. */
const allHoles = (/** @type {Entry} */ entry) => holesOf(Object.values(formsOf(entry)).join());

/** Gives the keys whose entry has a text that is not as it should be. */
function keysWhere(
  /** @type {Record<string, Entry>} */ words,
  /** @type {(text: string, form: string, key: string) => boolean} */ isWrong,
) {
  return Object.keys(words).filter((key) =>
    Object.entries(formsOf(words[key])).some(([form, text]) => isWrong(text, form, key)),
  );
}

for (const [code, words] of OTHERS) {
  test(`${code} has the keys of English, in the same order`, () => {
    const missing = Object.keys(ENGLISH).filter((key) => !Object.hasOwn(words, key));
    const unknown = Object.keys(words).filter((key) => !Object.hasOwn(ENGLISH, key));
    assert.deepEqual({ missing, unknown }, { missing: [], unknown: [] });
    assert.deepEqual(Object.keys(words), Object.keys(ENGLISH));
  });

  test(`${code} fills each text with the same values as English`, () => {
    const other = Object.keys(words).filter(
      (key) => `${allHoles(words[key])}` !== `${allHoles(ENGLISH[key] ?? "")}`,
    );
    assert.deepEqual(other, []);
  });

  test(`${code} says nothing in English`, () => {
    const allowed = [...ALIKE_EVERYWHERE, ...ALIKE[code]];
    const english = keysWhere(words, (text, form, key) => {
      const { [form]: same, other } = formsOf(ENGLISH[key] ?? "");
      return hasLetters(text) && text === (same ?? other) && !allowed.includes(key);
    });
    assert.deepEqual(english, []);
  });
}

for (const [code, words] of EVERY) {
  const rules = new Intl.PluralRules(code);
  const plurals = Object.keys(ENGLISH).filter((key) => typeof ENGLISH[key] === "object");

  test(`${code} has each form of a plural, and only where there is one`, () => {
    const all = rules.resolvedOptions().pluralCategories.toSorted();
    const wrong = Object.keys(words).filter((key) => {
      const expected = plurals.includes(key) ? all : ["other"];
      return `${Object.keys(formsOf(words[key])).sort()}` !== `${expected}`;
    });
    assert.deepEqual(wrong, []);
  });

  test(`${code} leaves no value out of a form, but for a count that can only be one`, () => {
    const isAlwaysOne = (/** @type {string} */ form, /** @type {string} */ key) =>
      form === "one" && (rules.select(21) !== "one" || NEVER_MANY.includes(key));
    const short = keysWhere(words, (text, form, key) => {
      const said = holesOf(text);
      const left = allHoles(words[key]).filter((name) => !said.includes(name));
      return left.some((name) => name !== "n" || !isAlwaysOne(form, key));
    });
    const isCountless = (/** @type {string} */ key) => !allHoles(words[key]).includes("n");
    assert.deepEqual(short, []);
    assert.deepEqual(plurals.filter(isCountless), []);
  });

  test(`${code} has no empty text, and no blank too many`, () => {
    assert.deepEqual(
      keysWhere(words, (text) => text === "" || text !== text.trim() || /\s\s|[\t\n]/.test(text)),
      [],
    );
  });

  test(`${code} has the quotation marks and dashes of a book`, () => {
    const isForeign = (/** @type {string} */ mark) => !QUOTES[code].includes(mark);
    assert.deepEqual(
      keysWhere(
        words,
        (text) =>
          /["'`´]|\.\.\.|[^,] - /.test(text) ||
          [...text.matchAll(/[“”„‟‘’‚«»]/g)].some(([mark]) => isForeign(mark)),
      ),
      [],
    );
  });

  test(`${code} leaves the header room on a phone`, () => {
    const long = IN_THE_HEADER.filter((key) => `${words[key]}`.length > HEADER_LETTERS);
    assert.deepEqual(long, []);
  });
}

test("every text is used somewhere", () => {
  const folder = new URL("../../../../clients/web/", import.meta.url);
  const code = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".js") && !/^words.(en|vi|hr|sv)\.js$/.test(path))
    .map((path) => readFileSync(new URL(path, folder), "utf8"))
    .join("\n");
  const made = [...code.matchAll(/`([\w.]+\.)\$\{/g)].map(([, start]) => start);
  const unused = Object.keys(WORDS.en).filter(
    (key) => !code.includes(`"${key}"`) && !made.some((start) => key.startsWith(start)),
  );
  assert.deepEqual(unused, []);
});

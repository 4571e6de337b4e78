import assert from "node:assert/strict";
import { test } from "node:test";

import { keep } from "../../../../clients/web/state/keeping.js";
import { createPreferences, DEFAULTS } from "../../../../clients/web/state/preferences.js";
import { aBrowserStore } from "./browser.mjs";

/** Preferences in a browser. */
function aBrowser({ store = aBrowserStore(), lessMotion = false } = {}) {
  const wantsLessMotion = () => lessMotion;
  const preferences = createPreferences({ kept: keep("preferences", store), wantsLessMotion });
  return { preferences, store };
}

test("everything has a default", () => {
  const { preferences } = aBrowser();
  for (const [name, value] of Object.entries(DEFAULTS)) {
    assert.equal(preferences.get(name), value, name);
  }
});

test("a choice is there after a reload, and told to listeners", () => {
  const { preferences, store } = aBrowser();
  let told = 0;
  const off = preferences.onChange(() => (told += 1));
  preferences.set("language", "hr");
  off();
  preferences.set("fourColours", true);
  assert.equal(told, 1);
  const reloaded = aBrowser({ store }).preferences;
  assert.deepEqual([reloaded.get("language"), reloaded.get("fourColours")], ["hr", true]);
  assert.equal(reloaded.get("tapToColumn"), true);
});

test("what is kept in another form is read as the default", () => {
  const store = aBrowserStore();
  store.items.set("preferences", '{"language": 5, "theme": "dark", "colour": "red"}');
  const { preferences } = aBrowser({ store });
  assert.deepEqual([preferences.get("language"), preferences.get("theme")], ["", "dark"]);
  preferences.set("animations", false);
  assert.doesNotMatch(store.items.get("preferences"), /colour":"red/);
});

test("things move unless one of player and system says no", () => {
  assert.equal(aBrowser().preferences.moves(), true);
  assert.equal(aBrowser({ lessMotion: true }).preferences.moves(), false);
  const { preferences } = aBrowser();
  preferences.set("animations", false);
  assert.equal(preferences.moves(), false);
});

test("another tab's choice holds here as well", () => {
  const { preferences, store } = aBrowser();
  let told = 0;
  preferences.onChange(() => (told += 1));
  store.otherTabWrites("preferences", '{"theme": "light"}');
  assert.deepEqual([preferences.get("theme"), told], ["light", 1]);
});

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { browserWorld } from "../../../../clients/web/wire/world.js";

const NAMES = ["location", "document", "addEventListener", "removeEventListener"];
const before = new Map(NAMES.map((name) => [name, globalThis[name]]));

/** A page at this address, as far as the world looks at it. */
function aPage(href) {
  const page = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: "visible" });
  Object.assign(globalThis, {
    location: { href },
    document,
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
  });
  return { page, document };
}

beforeEach(() => aPage("http://192.168.1.7:8000/rooms/r1?x#y"));
afterEach(() => Object.assign(globalThis, Object.fromEntries(before)));

test("a socket's address is the page's own, as safe as the page", () => {
  assert.equal(browserWorld().socketUrl("/api"), "ws://192.168.1.7:8000/api");
  aPage("https://race.example/daily");
  assert.equal(browserWorld().socketUrl("/api"), "wss://race.example/api");
});

test("network, tab and page coming back wake, until nobody listens any more", () => {
  const { page, document } = aPage("http://here/");
  let woken = 0;
  const off = browserWorld().onWake(() => (woken += 1));
  page.dispatchEvent(new Event("online"));
  page.dispatchEvent(new Event("pageshow"));
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(woken, 3);
  document.visibilityState = "hidden";
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(woken, 3);
  off();
  document.visibilityState = "visible";
  for (const target of [page, document]) {
    for (const type of ["online", "pageshow", "visibilitychange"]) {
      target.dispatchEvent(new Event(type));
    }
  }
  assert.equal(woken, 3);
});

test("what is planned happens, unless it is called off", async () => {
  const { after, now } = browserWorld();
  const from = now();
  let calledOff = true;
  const cancel = after(0, () => (calledOff = false));
  cancel();
  await new Promise((resolve) => after(1, resolve));
  assert.equal(calledOff, true);
  assert.ok(now() >= from);
});

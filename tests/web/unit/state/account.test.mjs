import assert from "node:assert/strict";
import { test } from "node:test";

import { createAccount } from "../../../../clients/web/state/account.js";
import { keep } from "../../../../clients/web/state/keeping.js";
import { aBrowserStore } from "./browser.mjs";

const ANA = { id: "p_1", name: "Ana", kind: "human" };

/** A browser at a server that gives these answers, [status, body] each. */
function aBrowser({ answers = [], store = aBrowserStore() } = {}) {
  const requests = [];
  const account = createAccount({
    kept: keep("account", store),
    fetch: async (url, { method, headers, body }) => {
      requests.push([method, url, headers.Authorization, body]);
      const [status, answer] = answers.shift();
      return new Response(answer && JSON.stringify(answer), { status });
    },
  });
  let changes = 0;
  account.onChange(() => (changes += 1));
  return { account, store, requests, changes: () => changes };
}

/** A browser in which Ana plays. */
async function anasBrowser(answers = []) {
  const browser = aBrowser({ answers: [[201, { player: ANA, token: "cr_1" }], ...answers] });
  await browser.account.register("Ana");
  return browser;
}

test("nobody plays before a name is given", () => {
  const { account } = aBrowser();
  assert.deepEqual([account.player, account.token], [null, null]);
});

test("a name once registered is there after a reload", async () => {
  const { account, store, requests, changes } = await anasBrowser();
  assert.deepEqual(account.player, ANA);
  assert.deepEqual(requests, [
    ["POST", "/api/v1/players", undefined, '{"name":"Ana","kind":"human"}'],
  ]);
  assert.equal(changes(), 1);
  const reloaded = aBrowser({ store }).account;
  assert.deepEqual([reloaded.player, reloaded.token], [ANA, "cr_1"]);
});

test("a refused name changes nothing and says why", async () => {
  const taken = { code: "name_taken", detail: "taken" };
  const { account, changes } = aBrowser({ answers: [[409, taken]] });
  await assert.rejects(account.register("Ana"), { code: "name_taken", status: 409 });
  assert.deepEqual([account.player, changes()], [null, 0]);
});

test("a token of another device brings its player", async () => {
  const { account, requests } = aBrowser({ answers: [[200, ANA]] });
  assert.deepEqual(await account.adopt(" cr_2\n"), ANA);
  assert.deepEqual([account.player, account.token], [ANA, "cr_2"]);
  assert.equal(requests[0][2], "Bearer cr_2");
});

test("a wrong token leaves who plays here alone", async () => {
  const { account } = await anasBrowser([[401, { code: "unauthorized" }]]);
  await assert.rejects(account.adopt("cr_wrong"), { code: "unauthorized" });
  assert.equal(account.token, "cr_1");
});

test("another name stays with the token", async () => {
  const renamed = { ...ANA, name: "Anna" };
  const { account, store, requests } = await anasBrowser([[200, renamed]]);
  await account.rename("Anna");
  assert.deepEqual(requests[1].slice(0, 3), ["PATCH", "/api/v1/players/me", "Bearer cr_1"]);
  assert.deepEqual(aBrowser({ store }).account.player, renamed);
});

test("a name changed on another device is heard of", async () => {
  const renamed = { ...ANA, name: "Anna" };
  const { account, changes } = await anasBrowser([
    [200, ANA],
    [200, renamed],
  ]);
  await account.refresh();
  assert.equal(changes(), 1);
  await account.refresh();
  assert.deepEqual([account.player, changes()], [renamed, 2]);
});

test("a revoked token is forgotten, and listeners learn it", async () => {
  const { account, store, changes } = await anasBrowser([[401, { code: "unauthorized" }]]);
  await assert.rejects(account.rename("Anna"), { code: "unauthorized" });
  assert.deepEqual([account.player, account.token, changes()], [null, null, 2]);
  assert.equal(store.items.size, 0);
});

test("news about an older token leaves the present one alone", async () => {
  const { account } = await anasBrowser();
  account.revoked("cr_0");
  assert.equal(account.token, "cr_1");
});

test("leaving for good forgets the player once the server has", async () => {
  const { account } = await anasBrowser([
    [500, { code: "server_fault" }],
    [204, null],
  ]);
  await assert.rejects(account.leaveForGood(), { code: "server_fault" });
  assert.deepEqual(account.player, ANA);
  await account.leaveForGood();
  assert.equal(account.player, null);
});

test("another tab's registering is heard of here", () => {
  const { account, store, changes } = aBrowser();
  store.otherTabWrites("account", JSON.stringify({ player: ANA, token: "cr_9" }));
  assert.deepEqual([account.player, account.token, changes()], [ANA, "cr_9", 1]);
});

test("what is kept in another form counts as nobody", () => {
  for (const text of ["5", '{"token":"cr_1"}', '{"player":{"id":"p_1"},"token":1}', "[]"]) {
    const store = aBrowserStore();
    store.items.set("account", text);
    assert.equal(aBrowser({ store }).account.token, null, text);
  }
});

test("forgetting asks nobody", async () => {
  const { account, requests } = await anasBrowser();
  account.forget();
  assert.deepEqual([account.player, requests.length], [null, 1]);
});

test("that a token is not taken any more is told, once, and only of the own one", async () => {
  const { account } = await anasBrowser();
  let told = 0;
  account.onRevoked(() => (told += 1));
  account.revoked("cr_other");
  assert.deepEqual([account.player, told], [ANA, 0]);
  account.revoked("cr_1");
  account.revoked("cr_1");
  assert.deepEqual([account.player, told], [null, 1]);
});

test("who signs out is not told that the token was refused", async () => {
  const { account } = await anasBrowser();
  account.onRevoked(() => assert.fail("nobody refused it"));
  account.forget();
  assert.equal(account.player, null);
});

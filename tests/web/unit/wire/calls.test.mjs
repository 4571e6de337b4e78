import assert from "node:assert/strict";
import { test } from "node:test";

import { createCalls, Problem } from "../../../../clients/web/wire/calls.js";

/** A browser whose network gives these answers, one after the other; an Error is thrown. */
function aBrowser(answers, { token = null } = {}) {
  const seen = { requests: [], waits: [], refused: [], dates: [] };
  const calls = createCalls({
    fetch: async (url, { method, headers, body }) => {
      seen.requests.push({ url, method, headers, body });
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    token: () => token,
    onUnauthorized: (refused) => seen.refused.push(refused),
    onDate: (date) => seen.dates.push(date),
    sleep: async (ms) => void seen.waits.push(ms),
    chance: () => 0,
  });
  return { calls, seen };
}

const ok = (body, status = 200) => new Response(JSON.stringify(body), { status });

const refusal = (status, problem, headers = {}) =>
  new Response(JSON.stringify({ status, ...problem }), { status, headers });

const unavailable = (seconds) =>
  refusal(503, { code: "unavailable", detail: "later" }, { "Retry-After": String(seconds) });

test("a call sends JSON with the player's token, and gives what came back", async () => {
  const { calls, seen } = aBrowser([ok({ id: "r1" }, 201)], { token: "cr_1" });
  const room = await calls.post("/rooms", { seats: 2 }, { idempotencyKey: "k" });
  assert.deepEqual(room, { id: "r1" });
  assert.deepEqual(seen.requests, [
    {
      url: "/api/v1/rooms",
      method: "POST",
      headers: {
        Accept: "application/json",
        "Content-Type": "application/json",
        Authorization: "Bearer cr_1",
        "Idempotency-Key": "k",
      },
      body: '{"seats":2}',
    },
  ]);
});

test("an answer without a body is null", async () => {
  const { calls } = aBrowser([new Response(null, { status: 204 })]);
  assert.equal(await calls.del("/players/me"), null);
});

test("a refusal is a Problem with everything to decide by", async () => {
  const { calls } = aBrowser([
    refusal(422, { code: "invalid", detail: "too short", pointer: "/name" }),
    refusal(409, { code: "wrong_state", detail: "too late", state: "racing" }),
    refusal(429, { code: "too_many_requests", detail: "wait" }, { "Retry-After": "7" }),
  ]);
  const invalid = { code: "invalid", status: 422, detail: "too short", pointer: "/name" };
  await assert.rejects(calls.patch("/players/me", { name: "x" }), invalid);
  await assert.rejects(calls.post("/rooms/r/leave"), { code: "wrong_state", state: "racing" });
  await assert.rejects(calls.get("/rooms"), { code: "too_many_requests", retryAfterS: 7 });
});

test("what a proxy answers in the server's place is a Problem as well", async () => {
  const page = (status) => new Response("<html>", { status });
  const answers = [500, 404, 502, 502, 502, 502].map(page);
  const { calls, seen } = aBrowser(answers);
  await assert.rejects(calls.get("/rooms"), { code: "server_fault", status: 500 });
  await assert.rejects(calls.get("/rooms"), { code: "not_found", status: 404 });
  await assert.rejects(calls.get("/rooms"), { code: "unavailable", status: 502 });
  assert.equal(seen.waits.length, 3);
});

test("a network that is away, or answers with a page of its own, is `offline`", async () => {
  const login = () => new Response("<html>sign in", { status: 200 });
  const { calls } = aBrowser([new TypeError("failed"), login()]);
  await assert.rejects(calls.post("/players", { name: "Ana" }), { code: "offline", status: 0 });
  await assert.rejects(calls.post("/players", { name: "Ana" }), { code: "offline", status: 0 });
});

test("what can be repeated is, after the wait that is asked for", async () => {
  const { calls, seen } = aBrowser([unavailable(2), new TypeError("failed"), ok([])]);
  assert.deepEqual(await calls.get("/rooms"), []);
  assert.deepEqual(seen.waits, [2000, 250]);
});

test("a call that keeps failing is given up after four tries", async () => {
  const { calls, seen } = aBrowser(Array.from({ length: 5 }, () => unavailable(1)));
  await assert.rejects(calls.post("/rooms/r/join"), { code: "unavailable" });
  assert.equal(seen.requests.length, 4);
});

test("nobody is made to wait for longer than a few seconds", async () => {
  const { calls, seen } = aBrowser([unavailable(60)]);
  await assert.rejects(calls.get("/rooms"), { code: "unavailable", retryAfterS: 60 });
  assert.equal(seen.requests.length, 1);
});

test("what would be made twice is asked for once, unless a key makes it one", async () => {
  for (const path of ["/players", "/rooms", "/players/me/tokens"]) {
    const { calls, seen } = aBrowser([unavailable(1), ok({})]);
    await assert.rejects(calls.post(path, {}), { code: "unavailable" });
    assert.equal(seen.requests.length, 1, path);
  }
  const { calls, seen } = aBrowser([unavailable(1), ok({})]);
  await calls.post("/rooms", {}, { idempotencyKey: "k" });
  assert.deepEqual(
    seen.requests.map(({ headers }) => headers["Idempotency-Key"]),
    ["k", "k"],
  );
});

test("a revoked token is told of, and what is public is shown without it", async () => {
  const revoked = () => refusal(401, { code: "unauthorized", detail: "revoked" });
  const { calls, seen } = aBrowser([revoked(), ok({ items: [] }), revoked()], { token: "cr_1" });
  assert.deepEqual(await calls.get("/leaderboards/wins"), { items: [] });
  assert.equal(seen.requests[1].headers.Authorization, undefined);
  await assert.rejects(calls.post("/daily/join"), { code: "unauthorized" });
  assert.deepEqual(seen.refused, ["cr_1", "cr_1"]);
});

test("trying another token says nothing about one's own", async () => {
  const { calls, seen } = aBrowser([refusal(401, { code: "unauthorized" })], { token: "cr_1" });
  await assert.rejects(calls.get("/players/me", { token: "cr_2" }), { code: "unauthorized" });
  assert.equal(seen.requests[0].headers.Authorization, "Bearer cr_2");
  assert.deepEqual(seen.refused, []);
});

test("a page that is left takes its calls along", async () => {
  const leaving = new AbortController();
  const calls = createCalls({
    fetch: (_, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        leaving.abort();
      }),
    token: () => null,
    onUnauthorized: () => {},
  });
  await assert.rejects(calls.get("/rooms", { signal: leaving.signal }), { name: "AbortError" });
});

test("a Problem says in words what it is", () => {
  assert.equal(new Problem({ code: "offline" }).message, "offline");
  assert.equal(String(new Problem({ code: "invalid", detail: "too short" })), "Problem: too short");
});

test("the server's time is told by each of its answers, refusals too", async () => {
  const dates = ["Mon, 30 Nov 2026 09:00:00 GMT", "Mon, 30 Nov 2026 09:00:05 GMT"];
  const { calls, seen } = aBrowser([
    new Response("{}", { headers: { Date: dates[0] } }),
    refusal(404, { code: "not_found", detail: "no" }, { Date: dates[1] }),
    ok({}),
  ]);
  await calls.get("/limits");
  await assert.rejects(calls.get("/rooms/r1"), { code: "not_found" });
  await calls.get("/limits");
  assert.deepEqual(seen.dates, dates);
});

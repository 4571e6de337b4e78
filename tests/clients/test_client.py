from __future__ import annotations

import json
import random
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime

import httpx2
import msgspec
import pytest
from canfield_race_client import Client
from canfield_race_client.errors import BadUrl, NotAvailable, NotFound, Unauthorized, Unsendable
from canfield_race_client.racers import example_win
from canfield_race_client.shapes import Daily
from canfield_race_client.terminal.bots import bot_names

from tests.clients.builders import ANA, a_room
from tests.clients.table import seated

Handler = Callable[[httpx2.Request], httpx2.Response]


def a_client(handler: Handler, *, token: str | None = "secret") -> Client:  # noqa: S107 — no secret
    return Client("http://race.example/", token, http_transport=httpx2.MockTransport(handler))


def room_json(room_id: str) -> object:
    return msgspec.to_builtins(a_room(id=room_id))


async def test_the_token_goes_into_the_header_and_nowhere_else() -> None:
    seen: list[httpx2.Request] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json=msgspec.to_builtins(ANA))

    async with a_client(handler) as me:
        assert await me.me() == ANA
    assert seen[0].headers["Authorization"] == "Bearer secret"
    assert "secret" not in str(seen[0].url)


async def test_the_lobby_is_read_page_by_page() -> None:
    pages = {
        None: {"items": [room_json("one"), room_json("two")], "next": "c1"},
        "c1": {"items": [room_json("three")], "next": None},
    }

    def handler(request: httpx2.Request) -> httpx2.Response:
        assert request.url.params["state"] == "open"
        return httpx2.Response(200, json=pages[request.url.params.get("after")])

    async with a_client(handler) as me:
        assert [room.id async for room in me.rooms(state="open")] == ["one", "two", "three"]


async def test_a_new_room_is_asked_for_with_a_key_so_that_asking_again_makes_no_second() -> None:
    seen: list[httpx2.Request] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        if len(seen) == 1:
            return httpx2.Response(503, json={"code": "unavailable"}, headers={"Retry-After": "0"})
        return httpx2.Response(201, json=room_json("k3x9q2ab"))

    async def no_sleep(_: float) -> None:
        return

    client = Client(
        "http://race.example", "t", sleep=no_sleep, http_transport=httpx2.MockTransport(handler)
    )
    async with client as me:
        room = await me.create_room(ruleset="CF1", seats=4, code=None)
    assert room.id == "k3x9q2ab"
    assert json.loads(seen[0].content) == {"ruleset": "CF1", "seats": 4}
    assert seen[0].headers["Idempotency-Key"] == seen[1].headers["Idempotency-Key"]


async def test_a_client_has_to_be_opened_first() -> None:
    with pytest.raises(RuntimeError, match="async with"):
        await Client("http://race.example").me()


@pytest.mark.parametrize("url", ["", "race.example", "ftp://race.example", "http://", "http://["])
def test_what_is_no_address_is_told_before_anything_is_sent(url: str) -> None:
    with pytest.raises(BadUrl):
        Client(url)


@pytest.mark.parametrize("token", ["secret\n", "geheim-ü", "\ud800"])
def test_what_is_no_token_is_told_without_showing_it(token: str) -> None:
    with pytest.raises(Unsendable) as refused:
        Client("http://race.example", token)
    assert token not in str(refused.value)


async def test_what_cannot_be_sent_is_a_typed_error_and_sends_nothing() -> None:
    def handler(request: httpx2.Request) -> httpx2.Response:
        raise AssertionError(request.url)

    async with a_client(handler) as me:
        calls: list[Callable[[], Awaitable[object]]] = [
            lambda: me.rename("\ud800ab"),
            lambda: me.find_player("\ud800ab"),
            lambda: me.create_room(title="\ud800"),
            lambda: me.create_room(idempotency_key="é"),
            lambda: me.room("k3x9q2ab").moves(0, ["\ud800"]),
            lambda: me.room("x" * 100_000).get(),
        ]
        for call in calls:
            with pytest.raises(Unsendable):
                await call()


def a_daily(**fields: object) -> object:
    daily = {"kind": "daily", "date": "2026-11-30", "closes_at": "2026-12-01T00:00:00.000Z"}
    return msgspec.to_builtins(a_room(id="d20261130")) | daily | fields


async def test_the_daily_is_asked_for_by_its_day_and_joined_today() -> None:
    seen: list[str] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(f"{request.method} {request.url.path.removeprefix('/api/v1')}")
        return httpx2.Response(200, json=a_daily(winning_line=["12"] if len(seen) > 1 else None))

    async with a_client(handler) as me:
        today = await me.daily()
        assert (today.date, today.kind) == (date(2026, 11, 30), "daily")
        assert today.closes_at == datetime(2026, 12, 1, tzinfo=UTC)
        assert today.winning_line is None
        assert (await me.daily(date(2026, 11, 29))).winning_line == ["12"]
        room = await me.join_daily()
        assert room.id == "d20261130"
        assert isinstance(room.snapshot, Daily)
    assert seen == ["GET /daily", "GET /daily/2026-11-29", "POST /daily/join"]


async def test_a_leaderboard_is_asked_for_by_what_it_counts_and_when() -> None:
    seen: list[httpx2.Request] = []
    row = {"rank": 3, "player": msgspec.to_builtins(ANA), "value": 7, "games": 9}

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        page = {"board": "wins", "period": "week", "as_of": "2026-11-30T12:00:00.000Z"}
        return httpx2.Response(200, json=page | {"items": [row], "next": "c1"})

    async with a_client(handler) as me:
        board = await me.leaderboard(
            "wins", period="week", at=date(2026, 11, 30), draw=3, around_me=True
        )
    assert seen[0].url.path == "/api/v1/leaderboards/wins"
    asked = {"period": "week", "at": "2026-11-30", "draw": "3", "around": "me"}
    assert dict(seen[0].url.params) == asked
    assert (board.items[0].rank, board.items[0].value, board.next) == (3, 7, "c1")


async def test_the_leaderboards_are_listed_whatever_else_is_said_of_them() -> None:
    answer = {"items": [{"board": "wins", "rulesets": ["CF1"]}]}
    async with a_client(lambda _: httpx2.Response(200, json=answer)) as me:
        assert [board.board for board in await me.leaderboards()] == ["wins"]


async def test_an_id_stays_within_its_part_of_the_path() -> None:
    seen: list[str] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.url.raw_path.decode())
        return httpx2.Response(404, json={"code": "not_found"})

    async with a_client(handler) as me:
        for call in (me.profile, me.deal, me.replay, me.revoke_token, lambda i: me.room(i).get()):
            for strange in ("a/../b?c#d", "\ud800"):
                with pytest.raises(NotFound):
                    await call(strange)
    assert {path.rpartition("/")[2] for path in seen} == {"a%2F..%2Fb%3Fc%23d", "%3F"}


async def test_a_player_is_found_renamed_and_gone_at_last(server_url: str) -> None:
    first, second = bot_names(2, random.SystemRandom())
    who = await Client.register(server_url, first, kind="bot")
    async with Client(server_url, who.token) as me:
        assert await me.me() == who.player
        assert (await me.rename(second)).name == second
        assert (await me.find_player(second)).player.id == who.player.id
        assert (await me.profile(who.player.id)).player.kind == "bot"
        await me.delete_me()
        with pytest.raises(Unauthorized):
            await me.me()


async def test_a_server_that_proves_no_deals_refuses_the_wish_for_a_winnable_one(
    server_url: str,
) -> None:
    who = await Client.register(server_url, bot_names(1, random.SystemRandom())[0])
    async with Client(server_url, who.token) as me:
        with pytest.raises(NotAvailable) as refused:
            await me.create_room(winnable=True)
    assert refused.value.pointer == "/winnable"


async def test_a_revoked_token_is_worthless(server_url: str) -> None:
    who = await Client.register(server_url, bot_names(1, random.SystemRandom())[0])
    async with Client(server_url, who.token) as me:
        laptop = await me.new_token("laptop")
        assert laptop.token is not None
        assert laptop.token not in repr(laptop)
        assert {token.label for token in await me.tokens()} >= {"laptop"}
        async with Client(server_url, laptop.token) as also_me:
            assert await also_me.me() == who.player
            await me.revoke_token(laptop.id)
            with pytest.raises(Unauthorized):
                await also_me.me()


async def test_a_finished_race_can_be_replayed_move_by_move(server_url: str) -> None:
    async with seated(server_url, players=1) as [room]:
        await room.start()
        await room.moves(0, example_win()[:3])
        assert (await room.curves())[0].points[-1][1] == 2
        await room.resign()
        [game] = (await room.games()).items
        async with Client(server_url) as anybody:
            replay = await anybody.replay(game.id)
            deal = await anybody.deal(replay.code or "")
        assert replay.moves == ["12", "rf", "24x2"]
        assert len(replay.times_ms) == 3
        assert deal.columns == [["QC"], ["KH"], ["3H"], ["AS"]]
        assert (await room.rematch()).id == (await room.rematch()).id


async def test_the_limits_are_numbers(server_url: str) -> None:
    async with Client(server_url) as anybody:
        assert (await anybody.limits())["socket_frame_bytes"] == 4096

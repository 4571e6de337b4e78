import asyncio
from typing import Any

import pytest

from server.api.rates import Rates
from server.race.errors import TooManyRequests
from server.settings import Settings
from tests.api.driver import Api, Player, a_name, serving


async def refused(api: Api, path: str, body: dict[str, Any]) -> None:
    response = await api.send("POST", path, json=body)

    assert response.status_code == 429
    assert response.headers["content-type"] == "application/problem+json"
    assert int(response.headers["retry-after"]) >= 1
    assert "/api/v1/limits" in response.json()["detail"]


async def test_registering_is_limited_by_address_even_with_a_token(sqlite_url: str) -> None:
    async with serving(sqlite_url, players_per_hour=2) as api:
        ana = await api.register()
        await api.register()

        await refused(api, "/players", {"name": a_name()})
        await refused(ana, "/players", {"name": a_name()})


async def test_what_is_refused_uses_up_nobodys_allowance(sqlite_url: str) -> None:
    async with serving(sqlite_url, players_per_hour=1, rooms_per_minute=1) as api:
        for body in ({"name": "!"}, {"name": "me"}, {"nam": "Ana"}):
            assert (await api.send("POST", "/players", json=body)).status_code == 422
        ana = await api.register()
        for wish in ({"seats": 0}, {"ruleset": "CH1", "undo": True}):
            assert (await ana.send("POST", "/rooms", json=wish)).status_code == 422

        await ana.open()

        await refused(ana, "/rooms", {})


async def test_no_more_are_under_way_at_once_than_the_rate_allows(sqlite_url: str) -> None:
    async with serving(sqlite_url, rooms_per_minute=3) as api:
        ana = await api.register()

        answers = await asyncio.gather(*(ana.send("POST", "/rooms", json={}) for _ in range(20)))

        assert sorted(answer.status_code for answer in answers) == [201] * 3 + [429] * 17


async def test_rooms_and_tokens_are_limited_by_player(sqlite_url: str) -> None:
    async with serving(sqlite_url, rooms_per_minute=2) as api:
        ana, ben = await api.register(), await api.register()
        await ana.open()
        await ana.post("/players/me/tokens", {"label": "phone"})

        await refused(ana, "/rooms", {})
        await refused(ana, "/players/me/tokens", {"label": "bot"})
        await ben.open()


async def test_moves_are_not_refused_for_the_rate_of_rooms(sqlite_url: str) -> None:
    async with serving(sqlite_url, rooms_per_minute=1) as api:
        ana: Player = await api.register()
        room_id = await ana.race()

        for ply in range(20):
            await ana.play(room_id, "d", ply=ply)


async def test_a_refusal_says_how_long_to_wait() -> None:
    rates = Rates(Settings(players_per_hour=1))
    await rates.count("players", player_id=None, address="here")

    with pytest.raises(TooManyRequests) as refusal:
        await rates.count("players", player_id=None, address="here")

    assert 3590 <= refusal.value.retry_after_s <= 3602
    await rates.count("players", player_id=None, address="there")

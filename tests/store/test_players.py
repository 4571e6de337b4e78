import asyncio
import hashlib

import pytest
from sqlalchemy import text

from server.race.errors import Invalid, NameTaken, NotFound
from server.race.names import LONGEST
from server.race.player import Player
from server.race.profile import TokenInfo
from server.store.batches import batches_for
from server.store.database import Database
from server.store.games import Games
from server.store.players import Identity, Players
from server.store.tables import metadata
from tests.race.builders import ANA, BO, CY, OPENED, after
from tests.store.builders import a_kept_room, a_play, finish, register, rows


def named(name: str, number: int = 9) -> Player:
    return Player(id=f"p_{number}", name=name, kind="bot")


async def test_a_player_is_found_by_id_by_name_and_by_token(database: Database) -> None:
    players = Players(database)
    await register(database, ANA, BO)

    assert await players.find(ANA.id) == ANA
    assert await players.find_by_name("Ana") == ANA
    assert await players.identify("cr_p_ana") == Identity(player=ANA, token_id="t_p_ana")


async def test_nobody_is_found_where_nobody_is(database: Database) -> None:
    players = Players(database)

    with pytest.raises(NotFound):
        await players.find("p_none")
    with pytest.raises(NotFound):
        await players.find_by_name("Nobody-1")
    assert await players.identify("cr_none") is None
    assert await players.identify("") is None


@pytest.mark.parametrize("name", ["Ana", "ANA", "\uff21\uff4e\uff41", "\u0410\u043d\u0430"])
async def test_a_name_that_looks_like_a_taken_one_is_taken(database: Database, name: str) -> None:
    players = Players(database)
    await register(database, Player(ANA.id, "AHA" if name.startswith("\u0410") else "Ana", "human"))

    with pytest.raises(NameTaken):
        await register(database, named(name))
    assert await rows(database, "SELECT count(*) FROM players") == [(1,)]
    assert await rows(database, "SELECT count(*) FROM tokens") == [(1,)]
    assert (await players.find_by_name(name)).id == ANA.id


async def test_the_longest_name_is_kept_and_found(database: Database) -> None:
    name = "\ufdfa" * LONGEST
    await register(database, named(name))

    assert await Players(database).find_by_name(name) == named(name)
    with pytest.raises(NameTaken):
        await register(database, named(name, 8))


async def test_of_many_who_want_a_name_at_once_exactly_one_has_it(database: Database) -> None:
    wants = [register(database, named("Ana", number)) for number in range(5)]

    results = await asyncio.gather(*wants, return_exceptions=True)

    assert results.count(None) == 1
    assert sum(isinstance(result, NameTaken) for result in results) == 4


async def test_a_new_name_replaces_the_old_one_which_is_free_again(database: Database) -> None:
    players = Players(database)
    await register(database, ANA)

    renamed = await players.rename(ANA, "Zoe")

    assert renamed == await players.find(ANA.id) == Player(ANA.id, "Zoe", "human")
    await register(database, named("Ana"))


async def test_one_may_write_ones_own_name_in_another_way(database: Database) -> None:
    await register(database, ANA)

    assert (await Players(database).rename(ANA, "ANA")).name == "ANA"


async def test_nobody_takes_anothers_name_by_renaming(database: Database) -> None:
    players = Players(database)
    await register(database, ANA, BO)

    with pytest.raises(NameTaken):
        await players.rename(BO, "aNa")
    assert await players.find(BO.id) == BO


async def test_who_leaves_for_good_frees_the_name_and_loses_every_token(
    database: Database,
) -> None:
    players = Players(database)
    await register(database, ANA)
    await players.add_token(ANA, token="cr_more", token_id="t_more", label="more", at=OPENED)

    await players.leave(ANA, at=after(60))

    assert await players.identify("cr_p_ana") is None
    assert await players.identify("cr_more") is None
    for finding in (players.find(ANA.id), players.find_by_name("Ana")):
        with pytest.raises(NotFound):
            await finding
    await register(database, named("Ana"))


async def test_results_of_who_has_left_stay_under_a_nameless_player(database: Database) -> None:
    room = await a_kept_room(database, racing=True)
    await finish(database, room.id)

    await Players(database).leave(BO, at=after(1000))

    query = "SELECT name, name_key, rank FROM players JOIN games ON player_id = players.id"
    assert await rows(database, f"{query} WHERE players.id = 'p_bo'") == [("", None, 1)]


async def test_many_may_leave(database: Database) -> None:
    await register(database, ANA, BO, CY)

    for player in (ANA, BO, CY):
        await Players(database).leave(player, at=after(60))

    assert await rows(database, "SELECT DISTINCT name FROM players") == [("",)]


async def test_who_has_left_takes_no_name_and_no_token_any_more(database: Database) -> None:
    players = Players(database)
    await register(database, ANA)
    await players.leave(ANA, at=after(60))

    with pytest.raises(NotFound):
        await players.rename(ANA, "Zoe")
    await players.add_token(ANA, token="cr_late", token_id="t_late", label="late", at=after(61))

    assert await players.identify("cr_late") is None
    await register(database, named("Zoe"))


async def test_tokens_are_listed_oldest_first_and_the_one_in_use_is_marked(
    database: Database,
) -> None:
    players = Players(database)
    await register(database, ANA, BO)
    await players.add_token(ANA, token="cr_2", token_id="t_2", label="phone", at=after(1))
    identity = await players.identify("cr_2")
    assert identity is not None

    assert await players.tokens_of(identity) == [
        TokenInfo("t_p_ana", "first", "2026-11-29T19:00:00.000Z", current=False),
        TokenInfo("t_2", "phone", "2026-11-29T19:00:01.000Z", current=True),
    ]


async def test_a_revoked_token_is_worthless_and_the_others_are_not(database: Database) -> None:
    players = Players(database)
    await register(database, ANA)
    await players.add_token(ANA, token="cr_2", token_id="t_2", label="phone", at=after(1))

    await players.revoke_token(ANA, "t_2")

    assert await players.identify("cr_2") is None
    assert await players.identify("cr_p_ana") is not None


@pytest.mark.parametrize("token_id", ["t_none", "t_p_bo"])
async def test_nobody_revokes_a_token_that_is_not_theirs(database: Database, token_id: str) -> None:
    players = Players(database)
    await register(database, ANA, BO)

    with pytest.raises(NotFound):
        await players.revoke_token(ANA, token_id)
    assert await players.identify("cr_p_bo") is not None


async def test_tokens_are_kept_as_digests_only(database: Database) -> None:
    await register(database, ANA)
    await Players(database).add_token(
        ANA, token="cr_secret", token_id="t_2", label="phone", at=OPENED
    )

    everything = [
        str(value)
        for table in metadata.sorted_tables
        for row in await rows(database, f"SELECT * FROM {table.name}")  # noqa: S608 — our tables
        for value in row
    ]
    assert hashlib.sha256(b"cr_secret").hexdigest() in everything
    assert not [value for value in everything if value.startswith("cr_")]


async def test_text_with_a_nul_is_refused_and_nothing_is_kept(database: Database) -> None:
    players = Players(database)
    await register(database, ANA)

    with pytest.raises(Invalid):
        await register(database, named("A\x00"))
    with pytest.raises(Invalid):
        await players.add_token(ANA, token="cr_2", token_id="t_2", label="a\x00", at=OPENED)
    for finding in (players.find("\x00"), players.find_by_name("\x00x")):
        with pytest.raises(Invalid):
            await finding
    assert await players.identify("\x00") is None
    assert await rows(database, "SELECT id FROM tokens") == [("t_p_ana",)]


# Profiles


async def test_a_profile_sums_up_games_of_finished_rooms(database: Database) -> None:
    room = await a_kept_room(database, racing=True)
    writer = batches_for(database)
    ana = room.seats[0]
    win = a_play(ana, 0, state="won", placed=52, score=260, elapsed_ms=91_234, at_ms=91_234)
    await writer.write([win])
    await writer.close()
    players = Players(database)
    assert (await players.profile(ANA, at=after(0))).games == 0
    await finish(database, room.id)

    winner, loser = await players.profile(ANA, at=after(0)), await players.profile(BO, at=after(0))

    assert (winner.games, winner.wins, winner.best_ms) == (1, 1, 91_234)
    assert (loser.games, loser.wins, loser.best_ms) == (1, 0, None)
    [game] = winner.recent_games
    assert (game.id, game.room, game.state, game.placed, game.rank) == (
        "g_ana",
        "r_1",
        "won",
        52,
        1,
    )
    assert (game.ruleset, game.draw, game.score) == ("CF1", 3, 260)
    assert game.ended_at == "2026-11-29T19:01:41.234Z"
    assert [(g.state, g.rank) for g in loser.recent_games] == [("out_of_time", 2)]


async def test_a_profile_of_someone_who_has_not_played_is_empty(database: Database) -> None:
    await register(database, ANA)

    profile = await Players(database).profile(ANA, at=after(0))

    assert (profile.player, profile.games, profile.wins, profile.best_ms) == (ANA, 0, 0, None)
    assert (profile.streak, profile.ratings, profile.recent_games) == (0, [], [])


async def test_a_cancelled_room_is_nobodys_game(database: Database) -> None:
    await a_kept_room(database)
    async with database.write() as connection:
        await connection.execute(text("UPDATE rooms SET state = 'cancelled'"))

    assert (await Players(database).profile(ANA, at=after(0))).games == 0
    assert not await Games(database).end("g_ana", state="resigned", at=after(1))

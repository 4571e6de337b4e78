from tests.api.driver import Api


async def test_standings_come_page_by_page_and_around_oneself(api: Api) -> None:
    players = [await api.register() for _ in range(5)]
    room_id = await players[0].race(*players[1:])
    await players[3].play(room_id, "12", "rf")
    path = f"/rooms/{room_id}/standings"

    whole = await api.get(path)
    first = await api.get(path, limit=3)
    second = await api.get(path, limit=3, after=first["next"])
    third = next(player for player in players if player.player == whole["items"][2]["player"])
    around = await third.get(path, around="me", limit=3)

    assert whole["items"][0]["player"] == players[3].player
    assert [standing["rank"] for standing in whole["items"]] == [1, 2, 2, 2, 2]
    assert first["items"] + second["items"] == whole["items"]
    assert (second["next"], whole["next"]) == (None, None)
    assert around["items"] == whole["items"][1:4]


async def test_standings_around_oneself_take_a_token_and_a_seat(sqlite_api: Api) -> None:
    ana, ben = await sqlite_api.register(), await sqlite_api.register()
    path = f"/rooms/{await ana.open()}/standings"

    await sqlite_api.refused("unauthorized", "GET", f"{path}?around=me")
    await ben.refused("not_a_player", "GET", f"{path}?around=me")
    both = await ana.refused("invalid", "GET", f"{path}?around=me&after=abc")
    other = await ana.refused("invalid", "GET", f"{path}?around=you")
    cursor = await ana.refused("invalid", "GET", f"{path}?after=abc")

    assert (both["pointer"], other["pointer"], cursor["pointer"]) == ("/around",) * 2 + ("/after",)

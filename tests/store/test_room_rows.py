from server.race.settings import RoomSettings
from server.store.room_rows import changing_values, new_values, seat_values
from server.store.tables import games, rooms
from tests.race.builders import a_room


def test_a_new_row_fills_every_column_that_has_to_be_filled() -> None:
    values = new_values(a_room(players=2), idempotency_key="k")

    assert set(values) == {column.name for column in rooms.columns} - {"settled"}
    assert values["created_by"] == values["host_id"]


def test_what_changes_leaves_settings_and_deal_alone() -> None:
    values = changing_values(a_room(players=2))

    assert not set(values) & {*RoomSettings.__struct_fields__, "id", "code", "nonce", "created_at"}


def test_a_seat_fills_every_column_but_those_of_later() -> None:
    room = a_room(players=2)

    values = seat_values(room, room.seats[1], place=7)

    later = {"ended_at", "rank", "claim", "transcript", "curve", "counted_on"}
    assert set(values) == {column.name for column in games.columns} - later
    assert values["seat"] == 7

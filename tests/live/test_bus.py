from server.live.bus import MemoryBus
from server.race.events import Cancelled, RoomEvent


async def test_every_subscriber_gets_every_event_in_the_order_of_its_offsets() -> None:
    bus = MemoryBus(epoch="e1")
    heard: list[tuple[str, str, int]] = []
    bus.subscribe(lambda room_id, event: heard.append(("first", room_id, event.offset)))
    bus.subscribe(lambda room_id, event: heard.append(("second", room_id, event.offset)))

    await bus.publish("r_1", Cancelled(reason="host"))
    await bus.publish("r_2", Cancelled(reason="idle"))

    assert heard == [
        ("first", "r_1", 1),
        ("second", "r_1", 1),
        ("first", "r_2", 2),
        ("second", "r_2", 2),
    ]


async def test_offsets_rise_and_the_newest_is_known() -> None:
    bus = MemoryBus(epoch="e1")
    events: list[RoomEvent] = [Cancelled(reason="host") for _ in range(3)]
    assert bus.offset == 0

    for number, event in enumerate(events, start=1):
        await bus.publish("r_1", event)
        assert (event.offset, bus.offset) == (number, number)


async def test_who_subscribes_later_hears_what_comes_later() -> None:
    bus = MemoryBus(epoch="e1")
    await bus.publish("r_1", Cancelled(reason="host"))
    heard: list[int] = []

    bus.subscribe(lambda _room_id, event: heard.append(event.offset))
    await bus.publish("r_1", Cancelled(reason="host"))

    assert heard == [2]

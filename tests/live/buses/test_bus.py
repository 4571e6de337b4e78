from server.live.buses.bus import EVERYONE, AnyMessage, Changed, Hear, MemoryBus, Revoked

Heard = list[tuple[str, AnyMessage]]


def hearer(ear: Heard) -> Hear:
    return lambda topic, message: ear.append((topic, message))


async def linked(count: int) -> tuple[list[MemoryBus], list[Heard]]:
    """Open nodes that hear each other, and what each hears."""
    medium = set[MemoryBus]()
    buses = [MemoryBus(medium) for _ in range(count)]
    heard: list[Heard] = [[] for _ in buses]
    for bus, ear in zip(buses, heard, strict=True):
        bus.listen(hearer(ear))
        await bus.open()
    return buses, heard


async def test_others_hear_at_once_and_in_order() -> None:
    [one, two, three], [at_one, at_two, at_three] = await linked(3)
    two.watch("r_1")
    three.watch("r_1")
    one.watch("r_1")

    one.publish("r_1", Changed(version=1))
    one.publish("r_1", Changed(version=2))

    assert at_two == at_three == [("r_1", Changed(version=1)), ("r_1", Changed(version=2))]
    assert at_one == [], "a node knows what it says itself"


async def test_a_node_alone_speaks_to_nobody() -> None:
    alone = MemoryBus()
    heard: list[str] = []
    alone.listen(lambda topic, _: heard.append(topic))
    await alone.open()
    alone.watch("r_1")

    alone.publish("r_1", Changed(version=1))

    assert (heard, alone.state) == ([], "ready")


async def test_what_concerns_everyone_is_heard_without_asking() -> None:
    [one, _], [_, at_two] = await linked(2)

    one.publish(EVERYONE, Revoked(token_id="t_1"))

    assert at_two == [(EVERYONE, Revoked(token_id="t_1"))]


async def test_a_node_that_has_closed_neither_hears_nor_is_heard() -> None:
    [one, two], [at_one, at_two] = await linked(2)
    await two.close()

    one.publish(EVERYONE, Revoked(token_id="t_1"))
    two.publish(EVERYONE, Revoked(token_id="t_2"))

    assert (at_one, at_two) == ([], [])

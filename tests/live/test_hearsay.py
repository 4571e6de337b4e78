from server.live.buses.bus import Changed, Progressed, Revoked, TookOver
from server.live.claims import claim_at
from server.live.outbox import BAD_TOKEN, REPLACED
from server.store.database import Database
from tests.live.builders import Node, a_node
from tests.race.builders import ANA, an_entry
from tests.store.builders import a_kept_room


def say(node: Node, topic: str, message: Changed | Progressed | Revoked | TookOver) -> None:
    """Have a node hear something."""
    for hear in node.bus._hearers:
        hear(topic, message)


async def test_a_room_that_nobody_watches_here_is_of_no_interest(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, racing=True)

        say(node, room.id, Changed(version=room.version + 1))
        say(node, room.id, Progressed(entries=[an_entry(ANA, actions=3)]))

        assert (node.tasks._running, node.hub.channels) == (set(), {})


async def test_a_version_that_is_known_is_not_read_again(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, racing=True)
        with node.socket(room.id) as eye:
            await eye.hello()
            await node.at_rest()

            say(node, room.id, Changed(version=room.version))

            assert node.tasks._running == set()


async def test_progress_is_told_to_the_sockets_here(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, racing=True)
        with node.socket(room.id) as eye:
            await eye.hello()

            say(node, room.id, Progressed(entries=[an_entry(ANA, actions=3, placed=2)]))

            told = await eye.expect("standings")
            assert [entry["placed"] for entry in told["entries"]] == [2]


async def test_a_newer_socket_elsewhere_closes_the_one_here_and_an_older_does_not(
    lite: Database,
) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, racing=True)
        with node.socket(room.id) as socket:
            await socket.hello(ANA)
            older, newer = (claim_at(node.clock.now_ms() + ms) for ms in (-1, 1))

            say(node, room.id, TookOver(player_id=ANA.id, claim=older))
            assert socket.outbox.close_code is None
            say(node, room.id, TookOver(player_id=ANA.id, claim=newer))

            assert socket.outbox.close_code == REPLACED


async def test_a_token_revoked_elsewhere_closes_its_sockets(lite: Database) -> None:
    async with a_node(lite) as node:
        room = await a_kept_room(lite, racing=True)
        with node.socket(room.id) as socket, node.socket(room.id) as eye:
            await socket.hello(ANA)
            await eye.hello()

            say(node, "everyone", Revoked(token_id=f"t_{ANA.id}"))

            assert (socket.outbox.close_code, eye.outbox.close_code) == (BAD_TOKEN, None)

import pytest
import structlog

from server.api.logs import configure_logs
from tests.api.driver import Api, serving
from tests.api.listening import listening


@pytest.fixture
def _configured_anew() -> object:
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()


async def test_no_token_is_logged_not_even_by_a_fault(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(sqlite_url, log_level="debug") as api:
        ana = await api.register()
        issued = await ana.post("/players/me/tokens", {"label": "phone"})
        room_id = await ana.race()
        async with listening(ana, room_id) as socket:
            await socket.expect("game")
        await Api(api.client, "cr_nobodys").refused("unauthorized", "GET", "/players/me")
        monkeypatch.setattr("server.live.hub.view_room", None)
        await ana.refused("server_fault", "POST", "/rooms")

    told = "".join(capsys.readouterr())
    assert "call.failed" in told
    assert "TypeError" in told
    for token in (str(ana.token), issued["token"], "cr_nobodys"):
        assert token not in told


@pytest.mark.usefixtures("_configured_anew")
def test_what_is_below_the_level_is_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("warning")

    structlog.get_logger().info("room.changed", room="k3x9")
    structlog.get_logger().warning("database.away", error="gone")

    told = capsys.readouterr()
    assert "room.changed" not in told.err
    assert "database.away" in told.err
    assert told.out == ""


@pytest.mark.usefixtures("_configured_anew")
def test_what_somebody_has_configured_is_left_alone() -> None:
    structlog.configure(processors=[structlog.processors.KeyValueRenderer()])

    configure_logs("info")

    (processor,) = structlog.get_config()["processors"]
    assert isinstance(processor, structlog.processors.KeyValueRenderer)

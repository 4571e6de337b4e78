import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from server.api.logs import LogFormat, about_call, about_room, configure_logs, request_id_of
from tests.api.driver import Api, serving
from tests.api.listening import listening

log = structlog.get_logger()


@pytest.fixture
def _configured_anew() -> Iterator[None]:
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()


@pytest.mark.usefixtures("_configured_anew")
@pytest.mark.parametrize("form", ["text", "json"])
async def test_no_token_is_logged_not_even_by_a_fault(
    sqlite_url: str,
    form: LogFormat,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logs("debug", form=form)
    async with serving(sqlite_url) as api:
        ana = await api.register()
        issued = await ana.post("/players/me/tokens", {"label": "phone"})
        room_id = await ana.race()
        async with listening(ana, room_id) as socket:
            await socket.expect("game")
        await Api(api.client, "cr_nobodys").refused("unauthorized", "GET", "/players/me")
        await ana.refused("invalid", "GET", f"/rooms?token={ana.token}")
        monkeypatch.setattr("server.live.hub.view_room", None)
        await ana.refused("server_fault", "POST", "/rooms")

    told = "".join(capsys.readouterr())
    assert told.count("call.answered") >= 6
    assert "TypeError" in told
    for token in (str(ana.token), issued["token"], "cr_nobodys"):
        assert token not in told


@pytest.mark.usefixtures("_configured_anew")
async def test_a_calls_lines_have_its_id_and_its_room_and_later_ones_have_neither(
    sqlite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs("debug", form="json")
    async with serving(sqlite_url) as api:
        ana = await api.register()
        room_id = await ana.open()
        capsys.readouterr()

        headers = {"X-Request-Id": "edge-1"}
        await ana.post(f"/rooms/{room_id}/start", headers=headers)
        await ana.get("/limits")

    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    of_call = [line for line in lines if line.get("request_id") == "edge-1"]
    assert {line["event"] for line in of_call} == {"room.changed", "call.answered"}
    assert {line["room"] for line in of_call} == {room_id}
    [limits] = [line for line in lines if line.get("path") == "/limits"]
    assert limits["request_id"] != "edge-1"
    assert "room" not in limits
    assert (limits["method"], limits["status"], limits["level"]) == ("GET", 200, "debug")
    assert limits["took_ms"] >= 0


@pytest.mark.usefixtures("_configured_anew")
@pytest.mark.parametrize("form", ["text", "json"])
def test_what_is_below_the_level_is_not_written(
    form: LogFormat, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs("warning", form=form)

    log.info("room.changed", room="k3x9")
    log.warning("database.away", error="gone")

    told = capsys.readouterr()
    assert "room.changed" not in told.err
    assert "database.away" in told.err
    assert told.out == ""


@pytest.mark.usefixtures("_configured_anew")
def test_json_is_one_object_on_each_line_a_traceback_included(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logs("info", form="json")
    log.info("room.changed", room="k3x9", players=4)
    try:
        int("k3x9")
    except ValueError:
        log.exception("call.failed", path="/rooms")

    changed, failed = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert changed.pop("timestamp").endswith("Z")
    assert changed == {"event": "room.changed", "level": "info", "room": "k3x9", "players": 4}
    assert failed["level"] == "error"
    assert failed["exception"].startswith("Traceback")
    assert "ValueError" in failed["exception"]


@pytest.mark.usefixtures("_configured_anew")
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_line_break_in_a_value_begins_no_line(
    form: LogFormat, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs("info", form=form)

    log.info("call.failed", path="/rooms\n2026-11-29 [info] all is well")

    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.usefixtures("_configured_anew")
@pytest.mark.parametrize("library", ["uvicorn.error", "asyncio"])
def test_what_libraries_warn_of_has_the_same_form_and_is_written_once(
    library: str, capsys: pytest.CaptureFixture[str]
) -> None:
    logging.getLogger("uvicorn").addHandler(logging.StreamHandler())
    configure_logs("info", form="json")

    logging.getLogger(library).warning("it took %s s", 3)
    logging.getLogger(library).info("nobody asked")

    [line] = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert (line["event"], line["level"]) == ("library.said", "warning")
    assert (line["library"], line["message"]) == (library, "it took 3 s")


@pytest.mark.usefixtures("_configured_anew")
def test_lines_of_a_block_tell_what_it_is_about_and_those_after_it_do_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logs("info", form="json")

    with about_call("r-1", room_id="k3x9"):
        log.info("within")
    with about_room("k3x9"):
        log.info("within")
    log.info("after")

    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    told = [(line.get("request_id"), line.get("room")) for line in lines]
    assert told == [("r-1", "k3x9"), (None, "k3x9"), (None, None)]


@pytest.mark.usefixtures("_configured_anew")
@pytest.mark.parametrize("room_id", ["", "K3X9", "k3x9\n", "x" * 17, "../../etc"])
def test_what_cannot_be_a_rooms_id_stays_out_of_the_log(
    room_id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs("info", form="json")

    with about_room(room_id), about_call("r-1", room_id=room_id):
        log.info("within")

    assert "room" not in json.loads(capsys.readouterr().err)


@pytest.mark.parametrize("given", ["7", "edge-7f3a.1_B", "x" * 64])
def test_a_fit_request_id_is_taken_over(given: str) -> None:
    assert request_id_of(given) == given


@pytest.mark.parametrize("given", [None, "", "x" * 65, "a b", "a\n", "é", "<script>", '"'])
def test_a_request_id_that_is_not_fit_is_replaced_by_a_new_one(given: str | None) -> None:
    made = request_id_of(given)

    assert made != given
    assert request_id_of(made) == made
    assert request_id_of(given) != made


@pytest.mark.usefixtures("_configured_anew")
def test_what_somebody_has_configured_is_left_alone() -> None:
    structlog.configure(processors=[structlog.processors.KeyValueRenderer()])

    configure_logs("info")

    (processor,) = structlog.get_config()["processors"]
    assert isinstance(processor, structlog.processors.KeyValueRenderer)

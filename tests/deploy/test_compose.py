"""The compose file: that it is one, and that what it promises to who runs it is so."""

from __future__ import annotations

import re
import subprocess
from typing import Any

import pytest

from server.settings import describe_settings
from tests.deploy.files import (
    CADDYFILE,
    COMPOSE,
    DOCKERFILE,
    OPERATING,
    command_of,
    environment_of,
    filled,
    last,
    seconds,
    services,
    stages,
    variables,
    whole,
)
from tests.deploy.processes import SCRIPTS

SERVICES = services()
STAYING = {name for name in SERVICES if name != "migrate"}
SERVERS = ["server-1", "server-2"]
GIVEN = {"POSTGRES_PASSWORD": "a/b@c:d"}
SECRET = re.compile(r"password|secret|token|key", re.IGNORECASE)


def every(name: str) -> dict[str, Any]:
    """One property of every service that has it."""
    return {service: what[name] for service, what in SERVICES.items() if name in what}


def networks_of(service: str) -> set[str]:
    return set(SERVICES[service]["networks"])


def test_it_keeps_to_the_compose_specification() -> None:
    checked = subprocess.run(  # noqa: S603 — the words stand here
        [SCRIPTS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", COMPOSE],
        capture_output=True,
        text=True,
        check=False,
    )

    assert checked.returncode == 0, checked.stdout


def test_what_is_wrong_would_not_pass_that_check(tmp_path: Any) -> None:
    wrong = tmp_path / "docker-compose.yml"
    wrong.write_text(COMPOSE.read_text("utf-8").replace("restart:", "restarts:"), "utf-8")

    checked = subprocess.run(  # noqa: S603 — the words stand here
        [SCRIPTS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", wrong],
        capture_output=True,
        check=False,
    )

    assert checked.returncode != 0


def test_the_parts_are_all_there() -> None:
    assert set(SERVICES) == {"proxy", *SERVERS, "migrate", "database", "hints"}


def test_no_secret_has_a_default() -> None:
    names = variables(COMPOSE.read_text("utf-8"))

    assert [name for name in names if SECRET.search(name)] == ["POSTGRES_PASSWORD"]
    assert names["POSTGRES_PASSWORD"] is None


def test_no_secret_is_written_down() -> None:
    for service, environment in every("environment").items():
        for name, value in environment.items():
            if SECRET.search(name):
                assert variables(str(value)), (service, name)
    text = COMPOSE.read_text("utf-8")
    assert not re.search(r"://[^\s/@]+:[^\s/@]+@", text), "a password in a URL"


def test_every_variable_is_explained_to_who_runs_it() -> None:
    page = OPERATING.read_text("utf-8")

    assert [name for name in variables(COMPOSE.read_text("utf-8")) if f"`{name}`" not in page] == []


def test_only_the_proxy_can_be_reached_and_by_itself_only_from_this_machine() -> None:
    ports = every("ports")

    assert set(ports) == {"proxy"}
    assert all(filled(port, {}).startswith("127.0.0.1:") for port in ports["proxy"])


def test_nobody_but_the_proxy_has_a_way_out() -> None:
    internal = {name for name, network in whole()["networks"].items() if network.get("internal")}

    assert {name for name in SERVICES if not networks_of(name) <= internal} == {"proxy"}
    assert not networks_of("proxy") & networks_of("database")
    assert not networks_of("proxy") & networks_of("hints")
    for server in SERVERS:
        assert networks_of(server) & networks_of("proxy")
        assert networks_of(server) & networks_of("database")


def test_only_the_proxy_and_the_servers_share_a_network_where_every_address_is_believed() -> None:
    believing = [name for name, env in every("environment").items() if "FORWARDED_ALLOW_IPS" in env]
    reaching = {name for name in SERVICES if networks_of(name) & networks_of("proxy")}

    assert set(believing) == {*SERVERS, "migrate"}
    assert reaching == {"proxy", *SERVERS}


def test_everything_that_stays_is_checked_for_health() -> None:
    image_checks = {found.word for found in stages()[-1]} & {"HEALTHCHECK"}

    assert {name for name in STAYING if "healthcheck" in SERVICES[name]} == STAYING - set(SERVERS)
    assert image_checks, f"{DOCKERFILE.name} checks the servers"


def test_the_tables_are_made_once_before_any_server_starts() -> None:
    assert SERVICES["migrate"]["command"] == ["migrate"]
    assert SERVICES["migrate"]["restart"] == "no"
    for server in SERVERS:
        waits = SERVICES[server]["depends_on"]
        assert waits["migrate"]["condition"] == "service_completed_successfully"
        assert waits["database"]["condition"] == "service_healthy"
    assert SERVICES["migrate"]["depends_on"]["database"]["condition"] == "service_healthy"


def test_one_server_is_enough_for_the_proxy_to_start_and_no_hints_for_the_servers() -> None:
    assert {SERVICES["proxy"]["depends_on"][server]["condition"] for server in SERVERS} == {
        "service_started"
    }
    assert SERVICES["server-1"]["depends_on"]["hints"]["condition"] == "service_started"


def test_both_servers_are_alike_and_can_be_restarted_one_by_one() -> None:
    assert SERVICES["server-1"] == SERVICES["server-2"]
    assert SERVICES["proxy"]["environment"]["SERVERS"] == " ".join(
        f"{server}:8000" for server in SERVERS
    )


def test_the_servers_do_what_the_image_does_by_itself_with_as_many_workers_as_are_wished() -> None:
    by_itself = last("CMD").as_list

    assert command_of("server-1", {}) == [*by_itself, "--workers", "1"]
    assert command_of("server-1", {"WORKERS": "3"}) == [*by_itself, "--workers", "3"]


def test_there_can_be_more_sockets_than_a_system_allows_by_itself() -> None:
    assert all(SERVICES[name]["ulimits"]["nofile"] >= 65536 for name in ("proxy", *SERVERS))


def test_everything_comes_back_by_itself() -> None:
    assert {SERVICES[name]["restart"] for name in STAYING} == {"unless-stopped"}


def test_nothing_is_killed_before_it_could_end_well() -> None:
    assert all(seconds(SERVICES[server]["stop_grace_period"]) > 10 for server in SERVERS)
    assert seconds(SERVICES["database"]["stop_grace_period"]) >= 60


@pytest.mark.parametrize("service", SERVICES)
def test_nobody_has_more_rights_than_it_needs(service: str) -> None:
    what = SERVICES[service]

    assert what["read_only"] is True
    assert what["cap_drop"] == ["ALL"]
    assert what["security_opt"] == ["no-new-privileges:true"]
    assert what.get("cap_add", []) == (["NET_BIND_SERVICE"] if service == "proxy" else [])
    assert "privileged" not in what


@pytest.mark.parametrize("service", SERVICES)
def test_no_log_can_fill_the_disk(service: str) -> None:
    assert {"max-size", "max-file"} <= set(SERVICES[service]["logging"]["options"])


def test_what_must_not_be_lost_is_on_a_volume_and_the_hints_are_not() -> None:
    assert "database:/var/lib/postgresql" in SERVICES["database"]["volumes"]
    assert "certificates:/data" in SERVICES["proxy"]["volumes"]
    assert "volumes" not in SERVICES["hints"]
    assert set(whole()["volumes"]) == {"database", "certificates", "proxy-state"}


def test_the_hints_are_bounded_and_never_written() -> None:
    command = " ".join(SERVICES["hints"]["command"])

    assert "--maxmemory 128mb --maxmemory-policy allkeys-lru" in command
    assert "--save  --appendonly no" in command


def test_the_servers_get_settings_that_there_are() -> None:
    known = {setting.variable for setting in describe_settings()}
    for_others = {"PGPASSWORD", "FORWARDED_ALLOW_IPS"}

    assert set(environment_of("server-1", GIVEN)) - for_others <= known


def test_the_password_may_hold_any_character() -> None:
    environment = environment_of("server-1", GIVEN)

    assert environment["PGPASSWORD"] == GIVEN["POSTGRES_PASSWORD"]
    assert environment["DATABASE_URL"] == "postgresql://canfield@database/canfield"
    assert environment_of("database", GIVEN)["POSTGRES_PASSWORD"] == GIVEN["POSTGRES_PASSWORD"]


def test_the_proxy_takes_every_variable_it_is_given() -> None:
    taken = set(re.findall(r"\{\$(\w+)", CADDYFILE.read_text("utf-8")))

    assert set(SERVICES["proxy"]["environment"]) <= taken

from traceback import format_exception
from typing import Any

import pytest

from server.live.buses.redis_url import BadRedis, read_url


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://example.org", {"host": "example.org"}),
        ("redis://example.org/", {"host": "example.org"}),
        ("redis://example.org:6380/3", {"host": "example.org", "port": 6380, "db": 3}),
        ("redis://[::1]:6380/0", {"host": "::1", "port": 6380, "db": 0}),
        ("redis://me:p%23ss@h/0", {"host": "h", "db": 0, "username": "me", "password": "p#ss"}),
        ("unix:///run/redis.sock?db=2", {"path": "/run/redis.sock", "db": 2}),
    ],
)
def test_a_url_says_how_to_connect(url: str, expected: dict[str, Any]) -> None:
    options = read_url(url)

    assert {key: value for key, value in options.items() if key != "connection_class"} == expected


def test_a_url_can_ask_for_tls() -> None:
    assert read_url("rediss://h/0")["connection_class"].__name__ == "SSLConnection"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org:6379",
        "http://example.org",
        "redis:/example.org",
        "redis://",
        "redis:///0",
        "redis://:se#cret@example.org/0",
        "redis://:secret@example.org:port/0",
        "redis://:secret@example.org:99999/0",
        "redis://:secret@example.org/name",
        "redis://:secret@example.org/1/2",
        "redis://:secret@example.org/-1",
        "redis://:secret@example.org/0?db=first",
        "redis://:secret@example.org/0?colour=secret",
        "redis://:secret@[::1/0",
        "unix://",
    ],
)
def test_anything_else_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(BadRedis, match="REDIS_URL is not the URL of a Redis") as refusal:
        read_url(url)

    assert "cret" not in "".join(format_exception(refusal.value))

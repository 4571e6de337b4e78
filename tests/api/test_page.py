"""The page as a browser gets it: what may be kept, what must not, and under which policy."""

import gzip
import json
import re

import httpx2
import pytest

from server.api.assets import FOLDER, MEDIA_TYPES, read_assets
from server.api.page import FILES, PATHS
from tests.api.driver import Api, serving
from tests.counting import counted

ID = "k3x9q2ab"
IDS = {"day": "2026-11-30", "board": "wins", "room": ID, "game": ID, "player": ID}
PAGES = [path.format(**IDS) for path in PATHS]

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.fixture
def http(sqlite_api: Api) -> httpx2.AsyncClient:
    """Calls a server, as a browser would."""
    return sqlite_api.client


async def the_hash(http: httpx2.AsyncClient) -> str:
    """The hash by which the document asks for its files."""
    [found] = set(re.findall(r'"/web/([^/"]+)/', (await http.get("/")).text))
    return str(found)


@pytest.mark.parametrize("path", PAGES)
async def test_every_path_of_the_page_gives_the_document(
    http: httpx2.AsyncClient, path: str
) -> None:
    answer = await http.get(path)

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.text.startswith("<!doctype html>")
    route = next(route for route in PATHS if route.format(**IDS) == path)
    assert f'{PATHS[route]}" />' in answer.text  # what it will need comes at once


def test_paths_lead_to_the_same_modules_on_both_sides() -> None:
    table = re.findall(
        r"\[/\^(.+)\$/, \(\) => import\(\"\./(.+)\"\)\]", (FOLDER / "app.js").read_text()
    )
    known = [(re.compile(pattern.replace("(?<", "(?P<")), module) for pattern, module in table]

    assert len(known) > 5
    for route, module in PATHS.items():
        path = route.format(**IDS)
        assert [to for pattern, to in known if pattern.fullmatch(path)] == [module], path


async def test_the_document_asks_for_nothing_but_files_that_are_there(
    http: httpx2.AsyncClient,
) -> None:
    asked = re.findall(r'(?:src|href)="(/web/[^"]+)"', (await http.get("/")).text)

    assert len(asked) > 3
    for path in asked:
        answer = await http.get(path)
        assert (answer.status_code, answer.content != b"") == (200, True), path


async def test_a_browser_that_has_the_document_is_told_to_keep_it(
    http: httpx2.AsyncClient,
) -> None:
    tag = (await http.get("/")).headers["etag"]

    for known in (tag, f'W/"old", {tag}', "*", tag.removeprefix("W/")):
        answer = await http.get("/daily", headers={"If-None-Match": known})
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["etag"] == tag
        assert answer.headers["cache-control"] == "no-cache"
        assert "content-security-policy" in answer.headers
    assert (await http.get("/", headers={"If-None-Match": 'W/"old"'})).status_code == 200


async def test_every_file_is_there_under_the_documents_hash_to_be_kept_for_ever(
    http: httpx2.AsyncClient,
) -> None:
    found, assets = await the_hash(http), read_assets()
    files = [path for path in FOLDER.rglob("*") if path.suffix in MEDIA_TYPES]

    assert len(files) > 5
    for path in files:
        answer = await http.get(f"/web/{found}/{path.relative_to(FOLDER).as_posix()}")
        assert answer.content == assets.files[path.relative_to(FOLDER).as_posix()].plain
        assert answer.headers["content-type"] == MEDIA_TYPES[path.suffix]
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


async def test_a_page_of_another_server_gets_the_files_that_are_here_but_may_not_keep_them(
    http: httpx2.AsyncClient,
) -> None:
    for other in ("0123456789abcdef", "-"):
        answer = await http.get(f"/web/{other}/app.js")

        assert answer.content == read_assets().files["app.js"].plain
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/web/-/app.js"])
async def test_what_is_packed_is_sent_to_whoever_takes_it(
    http: httpx2.AsyncClient, path: str
) -> None:
    plain = await http.get(path, headers={"Accept-Encoding": "identity"})
    async with http.stream("GET", path, headers={"Accept-Encoding": "br, gzip"}) as answer:
        sent = b"".join([part async for part in answer.aiter_raw()])

    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) == len(sent) < len(plain.content)
    assert gzip.decompress(sent) == plain.content
    assert "content-encoding" not in plain.headers
    assert plain.headers["vary"] == answer.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("path", ["/", "/web/-/app.js"])
async def test_head_tells_the_length_and_sends_nothing(http: httpx2.AsyncClient, path: str) -> None:
    got = await http.get(path)
    headed = await http.head(path)

    assert (headed.status_code, headed.content) == (200, b"")
    for name in ("content-length", "content-type", "cache-control", "x-content-type-options"):
        assert headed.headers[name] == got.headers[name]


@pytest.mark.parametrize("path", ["/", "/rooms/k3x9q2ab", "/nothing/here"])
async def test_what_a_browser_gets_may_run_nothing_of_others(
    http: httpx2.AsyncClient, path: str
) -> None:
    headers = (await http.get(path, headers=BROWSER)).headers

    policy = dict(
        directive.partition(" ")[::2]
        for directive in headers["content-security-policy"].split("; ")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["trusted-types"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]


async def test_a_person_at_an_address_that_is_not_there_gets_the_page_to_say_so(
    http: httpx2.AsyncClient,
) -> None:
    for path in ("/nothing/here", "/rooms/", "/rooms/a/b", "/DAILY"):
        answer = await http.get(path, headers=BROWSER)

        assert answer.status_code == 404
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "/app.js" in answer.text
    tag = answer.headers["etag"]
    again = await http.get("/nothing/here", headers=BROWSER | {"If-None-Match": tag})
    assert again.status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/nothing/here", {}),
        ("GET", "/nothing/here", {"Accept": "application/json"}),
        ("POST", "/nothing/here", BROWSER),
        ("GET", "/api/v1/nothing", BROWSER),
        ("GET", "/api/v2/rooms", BROWSER),
        ("GET", "/web/-/nothing.js", BROWSER),
        ("GET", "/web/-/package.json", BROWSER),
        ("GET", "/web/-/tsconfig.json", BROWSER),
        ("GET", "/web/-/README.md", BROWSER),
        ("GET", "/web/-/index.html", BROWSER),
        ("GET", "/web/-/", BROWSER),
        ("GET", "/web/-/..%2f..%2fapi/app.py", BROWSER),
        ("GET", "/web/-/%2fetc/hostname", BROWSER),
    ],
)
async def test_everything_else_that_is_not_there_is_a_problem(
    http: httpx2.AsyncClient, method: str, path: str, headers: dict[str, str]
) -> None:
    answer = await http.request(method, path, headers=headers)

    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "not_found"


async def test_the_page_is_only_read(http: httpx2.AsyncClient) -> None:
    for path in ("/", "/rooms/k3x9q2ab", "/web/-/app.js"):
        answer = await http.post(path, headers=BROWSER)

        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")


async def test_the_page_and_its_files_cost_nothing_of_any_rate(sqlite_url: str) -> None:
    async with serving(sqlite_url, calls_per_minute=60) as api:
        for _ in range(50):
            assert (await api.client.get("/")).status_code == 200
            assert (await api.client.get("/web/-/app.js")).status_code == 200

        await api.get("/limits")


async def test_the_page_is_counted_by_its_paths_template_and_answers_with_an_id(
    http: httpx2.AsyncClient,
) -> None:
    def counts() -> list[float]:
        return [
            counted("canfield_http_requests_total", route=route, method="GET", status=status)
            for route, status in (("/rooms/{room}", "2xx"), (FILES, "2xx"), (FILES, "4xx"))
        ]

    async def ask(room: str) -> httpx2.Response:
        await http.get("/web/-/app.js")
        await http.get("/web/-/nothing.js")
        return await http.get(f"/rooms/{room}", headers={"X-Request-Id": "edge-1"})

    await ask("one")
    before = counts()
    answer = await ask("another")

    assert answer.headers["x-request-id"] == "edge-1"
    assert counts() == [count + 1 for count in before]


async def test_the_page_is_no_part_of_the_contract(http: httpx2.AsyncClient) -> None:
    described = json.loads((await http.get("/openapi.json")).text)["paths"]

    assert described.keys().isdisjoint({*PATHS, FILES})

"""The shape of the tree: every file of code has its file of tests."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
SERVER = ROOT / "server"
CLIENT = ROOT / "clients" / "python" / "canfield_race_client"
PAGE = ROOT / "clients" / "web"

PURE = ("rules", "state", "wire")
"""The page's folders that need no browser: Node runs their tests."""

WIRING = {
    "server/__main__.py": "hands over to the command line",
    "server/serve.py": "hands the application to uvicorn; the tests of whole servers run it",
    "server/api/services.py": "a record of what the endpoints work with",
    "server/live/ports.py": "protocols; what implements them is tested",
    "clients/python/canfield_race_client/__main__.py": "hands over to the command line",
    "clients/python/canfield_race_client/cli.py": "hands over to what it names; e2e runs it",
    "clients/web/wire/types.js": "the shapes of the API; no code",
}
"""Files without tests of their own, each with its reason."""


def expected(code: Path) -> Path:
    """Where the tests of a file of code are."""
    if code.is_relative_to(PAGE):
        unit = ROOT / "tests" / "web" / "unit" / code.relative_to(PAGE)
        return unit.with_suffix(".test.mjs")
    if code.is_relative_to(CLIENT):
        folder = ROOT / "tests" / "clients" / code.relative_to(CLIENT).parent
    else:
        folder = ROOT / "tests" / code.relative_to(SERVER).parent
    return folder / f"test_{code.name}"


def modules() -> list[Path]:
    python = (path for folder in (SERVER, CLIENT) for path in folder.rglob("*.py"))
    page = (path for folder in PURE for path in (PAGE / folder).rglob("*.js"))
    return sorted(path for path in (*python, *page) if path.name != "__init__.py")


def test_every_file_of_code_has_its_file_of_tests() -> None:
    missing = [
        f"{code.relative_to(ROOT)} wants {expected(code).relative_to(ROOT)}"
        for code in modules()
        if str(code.relative_to(ROOT)) not in WIRING and not expected(code).exists()
    ]

    assert missing == []


def test_every_exception_is_a_file_that_is_there() -> None:
    assert [name for name in WIRING if not (ROOT / name).exists()] == []

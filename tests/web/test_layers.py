"""The page's modules import one way, from the pages down to the wire and the rules."""

from __future__ import annotations

import posixpath

import pytest

from server.api.assets import FOLDER, IMPORT

FLOORS = (
    ("app.js",),
    ("pages",),
    ("home", "room"),
    ("settings", "boards", "new_race", "film"),
    ("table",),
    ("parts",),
    ("words",),
    ("state",),
    ("wire", "rules"),
)
"""From the top; a folder may use itself and what is below its floor."""

MODULES = sorted(
    path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.js") if path.name != "first.js"
)


def folder_of(module: str) -> str:
    """The folder of a module; `app.js` is one of its own."""
    return module.partition("/")[0]


def floor_of(folder: str) -> int:
    """The floor of a folder, counted from the top."""
    return next(floor for floor, folders in enumerate(FLOORS) if folder in folders)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_uses_its_folder_and_what_is_below(module: str) -> None:
    here = folder_of(module)
    names = IMPORT.findall((FOLDER / module).read_text())
    used = {
        folder_of(posixpath.normpath(posixpath.join(posixpath.dirname(module), name)))
        for name in names
    }

    above = {there for there in used - {here} if floor_of(there) <= floor_of(here)}

    assert above == set()

from __future__ import annotations

from pathlib import Path

import canfield_race_client
import pytest

PACKAGE = Path(canfield_race_client.__file__).parent
TESTS = Path(__file__).parent
MODULES = sorted(
    path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py") if path.name != "__init__.py"
)


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_every_module_has_its_tests(module: Path) -> None:
    assert (TESTS / module.parent / f"test_{module.name}").exists()


def test_the_package_is_typed_for_those_who_use_it() -> None:
    assert (PACKAGE / "py.typed").exists()

"""The stage for the faults of the suite."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.faults.trials import Stage


@pytest.fixture(scope="session")
async def stage() -> AsyncIterator[Stage]:
    """One PostgreSQL and one cluster of each layout for all the faults."""
    async with Stage().opened() as stage:
        yield stage

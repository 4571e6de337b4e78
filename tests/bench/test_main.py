"""Benchmarks are chosen by name."""

import asyncio
import sys

import pytest

from tests.bench.chosen import BENCHMARKS, run

PATIENCE_S = 100


def test_an_unknown_benchmark_is_refused_before_any_is_run() -> None:
    with pytest.raises(
        SystemExit, match=f"no benchmark 'speed'; there are: {next(iter(BENCHMARKS))}"
    ):
        run(["rules", "speed"])


async def test_what_is_named_is_measured() -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench", "rules"), stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(PATIENCE_S):
        said, _ = await process.communicate()

    assert process.returncode == 0
    assert "moves" in said.decode()

"""Benchmarks are chosen by name."""

import pytest

from tests.bench.__main__ import BENCHMARKS, run


def test_an_unknown_benchmark_is_refused_before_any_is_run() -> None:
    with pytest.raises(
        SystemExit, match=f"no benchmark 'speed'; there are: {next(iter(BENCHMARKS))}"
    ):
        run(["rules", "speed"])

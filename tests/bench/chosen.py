"""The benchmarks, each run in a process of its own."""

import signal
from collections.abc import Callable
from multiprocessing import get_context

from tests.bench import boards, daily, fanout, memory, moves, resume, rules, solver, workers

BENCHMARKS: dict[str, Callable[[], None]] = {
    "rules": rules.main,
    "solver": solver.main,
    "moves": moves.main,
    "memory": memory.main,
    "fanout": fanout.main,
    "workers": workers.main,
    "resume": resume.main,
    "boards": boards.main,
    "daily": daily.main,
}


def run(names: list[str]) -> None:
    """Run benchmarks one after the other, each in a process of its own.

    Raises:
        SystemExit: there is none of a name, or one could not be run to its end.
    """
    if unknown := [name for name in names if name not in BENCHMARKS]:
        raise SystemExit(f"no benchmark {unknown[0]!r}; there are: {', '.join(BENCHMARKS)}")
    failed = [name for name in names or BENCHMARKS if not _succeeds(name)]
    if failed:
        raise SystemExit(f"not measured: {', '.join(failed)}")


def _succeeds(name: str) -> bool:
    one = get_context("spawn").Process(target=_measure, args=(name,))
    one.start()
    try:
        one.join()
    finally:
        one.terminate()
        one.join()
    return one.exitcode == 0


def _measure(name: str) -> None:
    clean_up_when_told_to_end()
    BENCHMARKS[name]()


def clean_up_when_told_to_end() -> None:
    """Have SIGTERM work as Ctrl-C does, so that no server is left behind."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)

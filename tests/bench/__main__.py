"""Everything that is measured: `make bench`; some of it: `make bench ONLY="memory fanout"`."""

import sys
from collections.abc import Callable
from multiprocessing import get_context

from tests.bench import fanout, memory, moves, resume, rules, workers

BENCHMARKS: dict[str, Callable[[], None]] = {
    "rules": rules.main,
    "moves": moves.main,
    "memory": memory.main,
    "fanout": fanout.main,
    "workers": workers.main,
    "resume": resume.main,
}


def run(names: list[str]) -> None:
    """Run benchmarks one after the other, each in a process of its own.

    Raises:
        SystemExit: there is none of a name, or one could not be run to its end.
    """
    if unknown := [name for name in names if name not in BENCHMARKS]:
        raise SystemExit(f"no benchmark {unknown[0]!r}; there are: {', '.join(BENCHMARKS)}")
    failed = []
    for name in names or BENCHMARKS:
        one = get_context("spawn").Process(target=BENCHMARKS[name])
        one.start()
        one.join()
        if one.exitcode != 0:
            failed.append(name)
    if failed:
        raise SystemExit(f"not measured: {', '.join(failed)}")


if __name__ == "__main__":
    run(sys.argv[1:])

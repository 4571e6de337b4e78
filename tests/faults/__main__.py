"""Tries the faults, many times: `make faults COUNT=20 SEED=1 FAULT=node-killed`."""

import asyncio
import random
import signal
from typing import Annotated

import typer
from rich.console import Console

from tests.faults.catalogue import FAULTS
from tests.faults.report import Report
from tests.faults.trials import Stage, Trial, attempt


def main(
    count: Annotated[int, typer.Option(min=1, help="how often each fault is tried")] = 10,
    seed: Annotated[int | None, typer.Option(help="of the first try; chosen if not given")] = None,
    fault: Annotated[list[str] | None, typer.Option(help="one of the faults; else all")] = None,
) -> None:
    """Try faults while bots race; the exit code is 1 if a move is lost, or anything is wrong."""
    names = [one.name for one in FAULTS]
    if unknown := set(fault or ()) - set(names):
        raise typer.BadParameter(f"no fault {min(unknown)!r}; there are: {', '.join(names)}")
    first = random.SystemRandom().randrange(10**6) if seed is None else seed
    report = asyncio.run(run(fault or names, count=count, seed=first))
    raise typer.Exit(0 if report.is_good else 1)


async def run(names: list[str], *, count: int, seed: int) -> Report:
    """Try each of these faults so often, one layout of processes after the other, and tell."""
    asyncio.get_running_loop().add_signal_handler(
        signal.SIGTERM, signal.raise_signal, signal.SIGINT
    )
    console = Console()
    console.print(f"the first seed is {seed}; SEED={seed} tries the same again")
    report = Report()
    chosen = [fault for fault in FAULTS if fault.name in names]
    async with Stage().opened() as stage:
        for layout in dict.fromkeys(fault.layout for fault in chosen):
            cluster = await stage.cluster(layout)
            for fault in (fault for fault in chosen if fault.layout == layout):
                for number in range(count):
                    with console.status(f"{fault.name}: {number + 1} of {count}"):
                        trial = await attempt(fault, cluster, seed=seed + number)
                    report.add(fault.name, trial)
            report.add("all games again", Trial(seed, await stage.strike(layout)))
    console.print(report.table())
    for wrong in report.wrong:
        console.print(wrong, markup=False, highlight=False)
    return report


if __name__ == "__main__":
    typer.run(main)

"""What the machine is, what its processes cost, and how many sockets it allows."""

import os
import platform
import resource
import time
from pathlib import Path

CORES = os.cpu_count() or 1
SPARE_FILES = 256  # besides the sockets: what a process has open anyway


def cpu_seconds(pid: int) -> float:
    """Tell how long a process has kept a core busy, all its threads together."""
    clock_id = (~pid << 3) | 2  # the CPU clock of another process, as Linux numbers it
    return time.clock_gettime(clock_id)


def waited_seconds(pid: int) -> float:
    """Tell how long a process's main thread could have run, but others had its core."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9


def family(pid: int) -> list[int]:
    """Give a process and all that come from it, itself first."""
    parents = {one: parent for one in _pids() if (parent := _parent_of(one)) is not None}
    found = [pid]
    for member in found:  # grows while it is read
        found += [one for one, parent in parents.items() if parent == member]
    return found


def memory_kb(pid: int) -> tuple[int, int]:
    """Give a process's RSS and PSS: all its memory, and its own share of what it shares."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    kb = {line.split(":")[0]: line.split()[1] for line in lines[1:]}
    return int(kb["Rss"]), int(kb["Pss"])


def allow_sockets(count: int) -> None:
    """Raise this process's limit of open files, for itself and what it starts.

    Raises:
        SystemExit: the machine does not allow as many.
    """
    wanted = count + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        if hard != resource.RLIM_INFINITY and hard < wanted:
            raise SystemExit(
                f"{count} sockets need {wanted} open files; this machine allows {hard}. "
                "Raise the hard limit (ulimit -Hn) and run again"
            )
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def conditions() -> str:
    """Describe what was measured on, and what else kept it busy."""
    load = os.getloadavg()[0]
    return (
        f"{platform.python_implementation()} {platform.python_version()}, "
        f"Linux {platform.release()}, {CORES} cores, load {load:.1f} before"
    )


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]


def _parent_of(pid: int) -> int | None:
    """Give the process that started this one; None if it has gone meanwhile."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[1])

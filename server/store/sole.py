"""Making sure that one process at a time uses a SQLite file."""

import fcntl
from pathlib import Path

from server.store.connecting import BadDatabase


class Hold:
    """A SQLite file held through a lock file beside it, which the system frees with the process.

    Raises:
        BadDatabase: another process holds it, or its folder cannot be written to.
    """

    def __init__(self, path: Path) -> None:
        lock_path = path.with_name(path.name + ".lock")
        try:
            self._file = lock_path.open("w")
        except OSError as error:
            raise BadDatabase(
                f"cannot write beside the database: {error}. DATABASE_URL must name a file in a "
                "folder that is there and can be written to"
            ) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._file.close()
            raise BadDatabase(
                f"another server uses {path}, or another command. A SQLite file is for one "
                "process: stop the other first, or let DATABASE_URL name a PostgreSQL, which "
                "several may share"
            ) from error

    def release(self) -> None:
        """Let another process have the file."""
        self._file.close()

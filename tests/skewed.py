"""`canfield-race` on a machine whose clock is off: `python -m tests.skewed <seconds> serve …`.

Workers are told by the environment: each begins by running this file as `__mp_main__`.
"""

import os
import sys
import time

SKEW = "TEST_SKEW_S"


def set_clock_off(seconds: float) -> None:
    """Have `time.time` tell a time so much later; what only counts up is left alone."""
    true_time = time.time
    time.time = lambda: true_time() + seconds


if __name__ == "__main__":
    os.environ[SKEW] = sys.argv.pop(1)
if __name__ in ("__main__", "__mp_main__"):
    set_clock_off(float(os.environ[SKEW]))
if __name__ == "__main__":
    from server.cli import main

    main()

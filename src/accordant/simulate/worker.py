"""What a process does before it shares work. Loads no numbers, so that it comes first."""

from __future__ import annotations

import os
import signal

__all__ = ["prepare"]


def prepare() -> None:
    """Leave Ctrl-C to the process that started this one, and use one core.

    Linear algebra would use all cores in every process: several times slower together.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")

"""A reader in a process of its own: where a library can end the process or take all memory.

A damaged .xls makes python-calamine ask for 4 GB and abort; a damaged .sav makes pyreadstat take 6.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from importlib import import_module
from typing import Any

__all__ = ["apart"]

SECONDS, MEMORY = 8, 1 << 30  # and 1 s and 20 MB for each MB of the file


def apart(module: str, function: str, content: bytes) -> Any:
    """What a function of a module makes of the content of a file.

    Raises
    ------
    ValueError
        If it fails, does not end, or takes more memory than its size explains.
    """
    size = len(content) >> 20
    try:
        done = subprocess.run(
            [sys.executable, "-m", __name__, module, function, str(MEMORY + size * (20 << 20))],
            input=content,
            capture_output=True,
            check=False,
            timeout=SECONDS + size,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    except subprocess.TimeoutExpired:
        raise ValueError("reading it does not end") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ValueError(said if done.returncode == 1 else "it asks for too much memory")
    return pickle.loads(done.stdout)  # written by `_main`


def _main(module: str, function: str, memory: str) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        pass
    else:
        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    try:
        found = getattr(import_module(module), function)(sys.stdin.buffer.read())
    except Exception as error:  # whatever the libraries raise: it is told, not shown as a trace
        sys.exit(" ".join(str(error).split()) or type(error).__name__)
    sys.stdout.buffer.write(pickle.dumps(found))


if __name__ == "__main__":
    _main(*sys.argv[1:])

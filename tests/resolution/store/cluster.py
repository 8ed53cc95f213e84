"""A PostgreSQL server for tests: thrown away afterwards, no service, no port, no root.

`initdb` and `postgres` refuse to run as root, so where we are root another user runs them.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

__all__ = ["Cluster", "missing"]

HOMES = Path("/usr/lib/postgresql")
USERS = ("postgres", "nobody")


def binaries() -> Path | None:
    """The folder with `initdb` of the newest PostgreSQL here."""
    found = [path.parent for path in HOMES.glob("*/bin/initdb")]
    if found:
        return max(found, key=lambda path: int(path.parent.name))
    named = shutil.which("initdb")
    return Path(named).resolve().parent if named else None


def missing() -> str:
    """What a server would need and is not here; empty where all is."""
    if importlib.util.find_spec("psycopg") is None:
        return "there is no psycopg"
    return "" if binaries() else "there is no PostgreSQL"


class Cluster:
    """A running server in a folder of its own; `kill` and `start` bring it down and up again."""

    def __enter__(self) -> Cluster:
        found = binaries()
        if found is None:
            raise FileNotFoundError("initdb")
        self.bin = found
        # Short, as the name of a socket has at most 107 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="acc-pg-", dir="/tmp"))
        self.data = self.folder / "data"
        self.user: dict[str, Any] = {}
        if os.getuid() == 0:
            entry = next(found for name in USERS if (found := _user(name)))
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
            self.user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        how = ["-U", "test", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        self._run("initdb", "-D", str(self.data), *how)
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._run("pg_ctl", "-D", str(self.data), "-m", "immediate", "stop", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        how = f"-k {self.folder} -c listen_addresses=''"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.data), "-w", "-l", log, "-o", how, "start")

    def kill(self) -> None:
        """SIGKILL, as when the machine loses power, but for the caches of the disk."""
        pid = int((self.data / "postmaster.pid").read_text().splitlines()[0])
        os.kill(pid, signal.SIGKILL)
        while Path(f"/proc/{pid}").exists():
            time.sleep(0.01)
        # Its children end themselves when they notice; a restart must wait for them.
        shared = f"{self.data}"
        while any(shared in _files(path) for path in Path("/proc").glob("[0-9]*")):
            time.sleep(0.05)

    def url(self, project: str) -> str:
        return f"postgresql://test@/postgres?host={self.folder}&project={project}"

    def _run(self, program: str, *arguments: str, check: bool = True) -> None:
        done = subprocess.run(
            [str(self.bin / program), *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            **self.user,
        )
        if check and done.returncode:
            log = self.folder / "log"
            said = done.stdout or (log.read_text() if log.exists() else "")
            raise RuntimeError(f"{program} failed: {said}")


def _user(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _files(process: Path) -> str:
    """The working directory of a process: servers stay in their folder of data."""
    try:
        return os.readlink(process / "cwd")
    except OSError:
        return ""

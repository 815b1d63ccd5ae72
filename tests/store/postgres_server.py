"""A PostgreSQL server for the length of a test run: its own folder, a socket instead of a port, nothing synced."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def programs() -> Path | None:
    """The folder of the newest server programs, or None where no server is installed."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    versions = [each.parent for each in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(versions, key=lambda each: int(each.parent.name), default=None)


def reason_to_skip() -> str:
    """Why no server can be run here, or an empty string."""
    if programs() is None:
        return "no PostgreSQL server is installed"
    if os.geteuid() == 0 and not _has_user("postgres"):
        return "PostgreSQL refuses to run as root, and there is no user postgres"
    return ""


@contextmanager
def running() -> Iterator[str]:
    """Starts a server and stops it at the end; gives the folder of its socket."""
    bin_folder = programs()
    assert bin_folder is not None
    # Not pytest's folder: the server's user may not look into it, and the path of a socket is short.
    with tempfile.TemporaryDirectory(prefix="greenroom-pg-", ignore_cleanup_errors=True) as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        data = f"{folder}/data"
        options = f"-c listen_addresses='' -k {folder} -c fsync=off -c full_page_writes=off"
        _run(bin_folder / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        _run(bin_folder / "pg_ctl", "-D", data, "-o", options, "-l", f"{folder}/log", "-w", "start")
        try:
            yield folder
        finally:
            _run(bin_folder / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")


def _run(*command: str | Path) -> None:
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    subprocess.run(
        [*as_user, *map(str, command)], check=True, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )


def _has_user(name: str) -> bool:
    return any(each.pw_name == name for each in pwd.getpwall())

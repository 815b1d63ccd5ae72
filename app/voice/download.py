"""Downloads a speech model into the models folder: all of it or nothing, and again from where it was left."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from app.voice.catalogue import KnownModel
from app.voice.fetch import DownloadError, Patience, checksum, fetch

HUB_VARIABLE = "GREENROOM_MODEL_HUB"
"""The address of a mirror, or of a server of one's own that has the same paths as the hub."""

_HUB = "https://huggingface.co"
_PARTIAL = ".partial"
_CONNECT_S = 10.0
_TELL_EVERY_S = 0.1
_ROOM_LEFT_BYTES = 50_000_000
"""A disk is not filled to its last byte: the database is on it, too."""


USUAL_PATIENCE = Patience()


class DownloadCancelledError(DownloadError):
    """The person wanted the download no more. What has come so far is kept."""

    def __init__(self) -> None:
        super().__init__("The download was stopped. Getting the model again goes on from here.")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a download is."""

    name: str
    received_bytes: int
    total_bytes: int

    @property
    def share(self) -> float:
        """Between 0 and 1."""
        return self.received_bytes / self.total_bytes


class Cancellation:
    """Ends a download at once, from any thread, wherever it waits. Measuring looks at it now and then."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted = False
        self._end: Callable[[], object] | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether `cancel` was called."""
        return self._wanted

    def cancel(self) -> None:
        """Ends the download that it was given to, or the one that it will be given to."""
        with self._lock:
            self._wanted = True
            if self._end is not None:
                self._end()

    @contextlib.contextmanager
    def ending(self, end: Callable[[], object]) -> Iterator[None]:
        """While inside, `cancel` calls `end`, once or more."""
        with self._lock:
            self._end = end
            if self._wanted:
                end()
        try:
            yield
        finally:
            with self._lock:
                self._end = None


def hub_address() -> str:
    """Where models are downloaded from.

    Raises:
        DownloadError: The environment names something else than a web address.
    """
    address = os.environ.get(HUB_VARIABLE, "").strip().rstrip("/") or _HUB
    if not address.startswith(("https://", "http://")):
        raise DownloadError(f"{HUB_VARIABLE} must be a web address, such as {_HUB}.")
    return address


def download_model(
    model: KnownModel,
    folder: Path,
    *,
    hub: str,
    on_progress: Callable[[Progress], None] = lambda _: None,
    cancellation: Cancellation | None = None,
    patience: Patience = USUAL_PATIENCE,
) -> Path:
    """Downloads a model, or what is missing of it, and puts it into `folder` under its name.

    Until all files are there and right, nothing of it is seen by `find_model`. Waits: call it from a thread that may.

    Args:
        model: Which.
        folder: The models folder; created where there is none.
        hub: Address without a path, or with the path of a mirror; `hub_address()` gives the usual one.
        on_progress: Called in this thread, at most ten times a second, and at the end.
        cancellation: Ends it from another thread.
        patience: How long the server is waited for.

    Raises:
        DownloadCancelledError: `cancellation` was used.
        DownloadError: It could not be had; says why, and what to do.
    """
    partial = partial_folder(folder, model.name)
    try:
        partial.mkdir(parents=True, exist_ok=True)
        with FileLock(partial.with_name(f"{model.name}.lock"), timeout=0):
            _check_room(model, partial)
            _run(_fetch_all(model, partial, hub, _Teller(model, on_progress), patience), cancellation or Cancellation())
            return _put_in_place(partial, folder / model.name)
    except Timeout:
        raise DownloadError(f"{model.name} is being downloaded already. Wait until that has ended.") from None
    except OSError as error:
        raise DownloadError(f"{folder} can't be written to: {error.strerror or error}.") from error


def partial_folder(folder: Path, name: str) -> Path:
    """Where what has come of a model waits until it is complete."""
    return folder / _PARTIAL / name


class _Teller:
    def __init__(self, model: KnownModel, on_progress: Callable[[Progress], None]) -> None:
        self._model = model
        self._on_progress = on_progress
        self._told_at = 0.0
        self.before = 0
        """Bytes of the files that are done."""

    def tell(self, size: int) -> None:
        received = self.before + size
        now = time.monotonic()
        if now - self._told_at >= _TELL_EVERY_S or received == self._model.size_bytes:
            self._told_at = now
            self._on_progress(Progress(self._model.name, received, self._model.size_bytes))


def _run(work: Coroutine[Any, Any, None], cancellation: Cancellation) -> None:
    """Runs a coroutine to its end in a loop of its own, which can be ended from outside even while it waits."""

    async def cancellable() -> None:
        task = asyncio.current_task()
        loop = asyncio.get_running_loop()
        assert task is not None
        with cancellation.ending(lambda: loop.call_soon_threadsafe(task.cancel)):
            await work

    try:
        asyncio.run(cancellable())
    except asyncio.CancelledError:
        raise DownloadCancelledError from None


async def _fetch_all(model: KnownModel, partial: Path, hub: str, teller: _Teller, patience: Patience) -> None:
    import httpx2

    timeout = httpx2.Timeout(patience.stall_s, connect=min(_CONNECT_S, patience.stall_s))
    async with httpx2.AsyncClient(timeout=timeout, follow_redirects=True) as client:
        for file in model.files:
            whole = partial / file.name
            # One that has its name was right when it got it; it is looked at again, since this costs little.
            if not whole.is_file() or await checksum(whole) != file.sha256:
                part = partial / f"{file.name}.part"
                await fetch(client, f"{hub}/{model.path_of(file)}", file, part, patience, teller.tell)
                _sync(part)
                part.replace(whole)
            teller.before += file.size_bytes
    teller.tell(0)


def _check_room(model: KnownModel, partial: Path) -> None:
    there = sum(path.stat().st_size for path in partial.iterdir())
    missing = model.size_bytes - there
    free = shutil.disk_usage(partial).free
    if missing > 0 and free < missing + _ROOM_LEFT_BYTES:
        raise DownloadError(
            f"There is not enough room for {model.name}: it takes {missing / 1e6:,.0f} MB more, and {free / 1e6:,.0f} "
            "MB are free. Free some space, or choose another place with GREENROOM_DATA_DIR."
        )


def _put_in_place(partial: Path, target: Path) -> Path:
    replaced = partial.with_name(f"{partial.name}.replaced")
    if replaced.exists():
        shutil.rmtree(replaced)
    if target.exists():
        target.rename(replaced)
    partial.rename(target)
    if replaced.exists():
        shutil.rmtree(replaced)
    return target


def _sync(path: Path) -> None:
    # Without this a power cut may leave a file of the right name and size with nothing in it.
    with path.open("r+b") as stream:
        os.fsync(stream.fileno())

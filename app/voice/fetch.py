"""Brings one file over HTTP, going on where an earlier attempt ended, and checks that it is the right one.

A server may do anything: ignore the range asked for, send another one, more or less than the file, nothing for a long
time. Whatever it does, what is on the disk at the end has the checksum that was expected, or there is an error that
says what to do.

Libraries looked at: huggingface_hub (2.4) begins anew in every process, doesn't compare what it got with its checksum
(its issue 3643) and can't be cancelled; pooch (1.9) checks, but neither resumes nor cancels.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from app.voice.catalogue import ModelFile
from app.voice.errors import VoiceError

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response

_READ_BYTES = 4_000_000
_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")
_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class DownloadError(VoiceError):
    """A file could not be had. `str()` says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server is waited for.

    Attributes:
        stall_s: Seconds without a byte until a connection is given up.
        attempts: Attempts in a row that bring nothing new until the download is given up.
        wait_s: Seconds before the second attempt; before each further one twice as long.
    """

    stall_s: float = 30.0
    attempts: int = 5
    wait_s: float = 1.0


class _PassingError(Exception):
    """This attempt has failed, but another may not. The sentence is for the person if none does."""


async def fetch(
    client: AsyncClient, url: str, file: ModelFile, part: Path, patience: Patience, on_size: Callable[[int], None]
) -> None:
    """Makes `part` the whole file, with the right checksum.

    Args:
        client: Follows redirects.
        url: Where the file is.
        file: What it must be.
        part: What is there of it already, if anything. After an error it is kept where it can still be of use.
        patience: How long to wait for the server.
        on_size: Told how many bytes are there, after each piece.

    Raises:
        DownloadError: The server, the connection or the disk prevents it.
        asyncio.CancelledError: What has come so far is kept.
    """
    furthest = have = _size(part)
    fruitless = 0
    while have != file.size_bytes:
        try:
            await _attempt(client, url, file, part, on_size)
        except _PassingError as error:
            problem = str(error)
        else:
            problem = "The connection ended early."
        have = _size(part)
        fruitless = 0 if have > furthest else fruitless + 1
        furthest = max(furthest, have)
        if have != file.size_bytes:
            if fruitless >= patience.attempts:
                raise DownloadError(f"{problem} Try again later: what has come so far is kept.")
            await asyncio.sleep(patience.wait_s * 2 ** max(0, fruitless - 1))
    on_size(have)
    if await checksum(part) != file.sha256:
        _discard(part)
        raise DownloadError(
            f"{file.name} is damaged: its checksum is wrong. It was thrown away. Try again; if that doesn't help, "
            "choose another server with GREENROOM_MODEL_HUB."
        )


async def checksum(path: Path) -> str:
    """SHA-256 of a file in hexadecimal; can be cancelled at any time."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_READ_BYTES):
            digest.update(block)
            await asyncio.sleep(0)
    return digest.hexdigest()


async def _attempt(client: AsyncClient, url: str, file: ModelFile, part: Path, on_size: Callable[[int], None]) -> None:
    import httpx2

    have = _size(part)
    if have > file.size_bytes:
        _discard(part)
        have = 0
    # Compressed on the way, a file has other sizes and ranges than those that are asked for.
    headers = {"Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    try:
        async with client.stream("GET", url, headers=headers) as response:
            start = _start(response, file, part, have)
            with part.open("r+b" if start else "wb", buffering=0) as stream:
                stream.seek(start)
                async for piece in response.aiter_bytes():
                    if stream.tell() + len(piece) > file.size_bytes:
                        raise DownloadError(_other_file(file))
                    _write(stream, piece, part)
                    on_size(stream.tell())
    except httpx2.TimeoutException as error:
        raise _PassingError("The server sends nothing.") from error
    except httpx2.ConnectError as error:
        raise _PassingError(f"{client.base_url.host or httpx2.URL(url).host} can't be reached.") from error
    except httpx2.TransportError as error:
        raise _PassingError("The connection broke off.") from error
    except (httpx2.InvalidURL, httpx2.TooManyRedirects) as error:
        raise DownloadError(f"{file.name} can't be had from this address: {error}. Check GREENROOM_MODEL_HUB.") from (
            error
        )


def _start(response: Response, file: ModelFile, part: Path, have: int) -> int:
    """At which byte of the file the answer begins."""
    status = response.status_code
    if status == 200:  # The whole file, whether or not a range was asked for.
        length = response.headers.get("Content-Length", "")
        if length.isdigit() and int(length) != file.size_bytes and "Content-Encoding" not in response.headers:
            _discard(part)
            raise DownloadError(_other_file(file))
        return 0
    if status == 206:
        found = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
        if found and int(found[1]) == have and found[3] in ("*", str(file.size_bytes)):
            return have
        _discard(part)
        raise _PassingError("The server sends another part of the file than was asked for.")
    if status == 416:
        _discard(part)
        raise _PassingError("The server has no such part of the file.")
    if status in _BUSY:
        raise _PassingError(f"The server is busy or out of order ({status}).")
    if status in (401, 403):
        raise DownloadError(f"The server doesn't give {file.name} to everybody ({status}). Check GREENROOM_MODEL_HUB.")
    if status in (404, 410):
        raise DownloadError(f"The server doesn't have {file.name} ({status}). Check GREENROOM_MODEL_HUB.")
    raise DownloadError(f"The server answered {status} instead of {file.name}. Check GREENROOM_MODEL_HUB.")


def _write(stream: BinaryIO, piece: bytes, part: Path) -> None:
    try:
        while piece:
            piece = piece[stream.write(piece) :]
    except OSError as error:
        if error.errno not in _FULL:
            raise DownloadError(f"{part.parent} can't be written to: {error.strerror or error}.") from error
        # Other programs need the disk, and so does this one's own database.
        _discard(part)
        raise DownloadError(
            "The disk is full. What had come of the file was removed. Free some space and try again."
        ) from error


def _other_file(file: ModelFile) -> str:
    return (
        f"The server sends another file than {file.name}: it is not {file.size_bytes:,} bytes long. "
        "Choose another server with GREENROOM_MODEL_HUB."
    )


def _size(part: Path) -> int:
    return part.stat().st_size if part.is_file() else 0


def _discard(part: Path) -> None:
    part.unlink(missing_ok=True)

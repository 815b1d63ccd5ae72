"""Wire names of tools, and the short handles of instances."""

from __future__ import annotations

import hashlib
import re
import unicodedata

WIRE_NAME_LIMIT = 64
HANDLE_LIMIT = 32
_HASH_LENGTH = 8
_WIRE_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_HASHED = re.compile(r".*_[0-9a-f]{8}")
_PLAIN_LABEL = re.compile(r"[a-z0-9]+")


def wire_name(raw: str) -> str:
    """Turns any name into one that every server takes: at most 64 characters of `[A-Za-z0-9_-]`.

    A name that fits stays as it is. Any other is cleaned and ends in a hash of the original, so that `read-file`,
    `read_file` and `read.file` stay three names. A name that fits but looks hashed gets a hash as well: that keeps
    the two kinds apart.

    Raises:
        ValueError: The name is empty.
    """
    if not raw:
        raise ValueError("the name is empty")
    if _WIRE_NAME.fullmatch(raw) and not _HASHED.fullmatch(raw):
        return raw
    digest = hashlib.sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
    clean = re.sub(r"[^A-Za-z0-9_-]+", "_", _without_accents(raw))
    return f"{clean[: WIRE_NAME_LIMIT - _HASH_LENGTH - 1]}_{digest}"


def slug(label: str) -> str:
    """The readable stem of a handle: lower-case ASCII words joined by `_`; `item` where nothing is left."""
    words = _PLAIN_LABEL.findall(label.lower() if label.isascii() else _without_accents(label.casefold()))
    return "_".join(words)[:HANDLE_LIMIT].rstrip("_") or "item"


def words_of(identifier: str) -> str:
    """An identifier as words for people: `open_item` becomes "Open item"."""
    return re.sub(r"[_\-\s]+", " ", identifier).strip().capitalize()


def _without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(character for character in decomposed if not unicodedata.combining(character))


class HandlePool:
    """Gives out handles that are unique among the living: `save`, `save_2`, `save_3`.

    A number is given again only when no handle of that stem is left, so that a handle doesn't move to a neighbour.
    """

    def __init__(self) -> None:
        self._stems: dict[str, str] = {}
        self._used: dict[str, int] = {}
        self._next: dict[str, int] = {}

    def take(self, label: str) -> str:
        """Takes a free handle for that label."""
        stem = slug(label)
        number = self._next.get(stem, 1)
        handle = stem if number == 1 else f"{stem}_{number}"
        while handle in self._stems:
            number += 1
            handle = f"{stem}_{number}"
        self._next[stem] = number + 1
        self._used[stem] = self._used.get(stem, 0) + 1
        self._stems[handle] = stem
        return handle

    def give_back(self, handle: str) -> None:
        """Frees a handle that `take` gave."""
        stem = self._stems.pop(handle)
        self._used[stem] -= 1
        if not self._used[stem]:
            del self._used[stem], self._next[stem]

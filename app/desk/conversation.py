"""Which conversation a window goes on with: the person's own, in one window at a time."""

from __future__ import annotations

import getpass
import platform
import uuid

from filelock import FileLock, Timeout

from app.store.location import data_folder

_LOCK = "conversation.lock"


class ConversationLease:
    """The right to go on with the person's conversation.

    Only one process has it at a time: a second window would take the calls that are under way in the first for calls
    that a crash has cut off. It begins a conversation of its own instead. The lock ends with the process, however that
    ends.

    Attributes:
        name: The conversation's name in the journal. People who share a database have one each.
        goes_on: Whether what the last window left open is taken up.
    """

    def __init__(self) -> None:
        folder = data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(folder / _LOCK)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            self.goes_on = False
            self.name = f"window-{uuid.uuid4().hex}"
        else:
            self.goes_on = True
            self.name = f"{_person()}@{platform.node()}"

    def release(self) -> None:
        """Leaves the conversation to the next window."""
        self._lock.release()


def _person() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no name for this user id, as in some containers
        return "somebody"

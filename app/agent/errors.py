"""The failure contract between tools, backends and the loop."""

from __future__ import annotations


class ToolError(Exception):
    """A tool can't do what was asked, and the person can be told why.

    The message reaches the proposal card, the speech output and the model: one readable sentence that says what to
    do instead, without paths, addresses or secrets.
    """


class ArgumentsError(ToolError):
    """Arguments that don't fit the tool's schema. The message names each place and what was wrong there."""


class UnknownToolError(ToolError):
    """A call names a tool that isn't offered. The message lists the tools that are."""


class TargetError(ToolError):
    """The target has gone, is hidden, disabled or behind a dialog: nothing was done."""


class RegistrationError(Exception):
    """A tool or an instance can't be registered: a fault of the program. Names class, method and parameter."""


class BackendError(Exception):
    """A backend could not answer. `str()` is what the person reads; `hint` says what to do; never holds a key.

    Attributes:
        hint: What the person can do about it, or an empty string.
        kind: Stable word for tests and logs: `auth`, `unreachable`, `rate_limited`, `timeout`, `refused`,
            `bad_answer`, `no_tools`, `server`.
    """

    def __init__(self, message: str, *, kind: str, hint: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.hint = hint

"""What can go wrong on the wire, as one exception with all that is needed to try again, to learn, or to tell."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from app.agent.backends.model_settings import ModelSettings
from app.agent.errors import BackendError
from app.agent.guards import redact

_SHOWN_CHARACTERS = 300

_HINTS = {
    "auth": "Check the API key and what it may be used for.",
    "unreachable": "Check that the server runs, its address, and the network.",
    "rate_limited": "Wait a little, or check the limits and the balance of the account.",
    "timeout": "Try again, or set a longer timeout for a slow server.",
    "refused": "Check the model and the server in the settings.",
    "bad_answer": "Try again. If it stays like this, the address may not be that of a Chat Completions server.",
    "server": "Try again in a moment.",
    "no_tools": "Choose a model that supports tools.",
}


class WireError(Exception):
    """A request failed. Holds no key: the text of the server is redacted.

    Attributes:
        kind: As in `BackendError`.
        hint: What the person can do; a default for the kind where none is given.
        status: HTTP status, or 0 where there was no answer.
        detail: What the server said, for learning from it.
        param: The part of the request that the server named, if it did.
        code: The server's code for the error.
        retry_after_s: How long the server asked to wait, or None.
        passing: Whether the same request may succeed in a moment.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        hint: str = "",
        status: int = 0,
        detail: str = "",
        param: str = "",
        code: str = "",
        retry_after_s: float | None = None,
        passing: bool = False,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.hint = hint or _HINTS.get(kind, "")
        self.status = status
        self.detail = detail
        self.param = param
        self.code = code
        self.retry_after_s = retry_after_s
        self.passing = passing

    def for_person(self) -> BackendError:
        """The same as what the rest of the program knows."""
        return BackendError(str(self), kind=self.kind, hint=self.hint)


def status_fault(status: int, body: str, settings: ModelSettings, *, retry_after_s: float | None = None) -> WireError:
    """The fault of an answer with an error status, or of an error inside an answer (`status` as given there).

    Args:
        status: HTTP status; 0 where an error inside a stream gives none.
        body: What came with it: JSON in one of the forms that servers use, or anything else.
        settings: For the names in the message.
        retry_after_s: From the header of that name.
    """
    error = _error_object(body)
    detail = redact(error["message"] or _plain(body), settings.secrets())
    said = _short(detail)
    code, param = error["code"], error["param"]
    lowered = detail.lower()

    def fault(message: str, kind: str, *, hint: str = "", passing: bool = False) -> WireError:
        return WireError(
            message, kind=kind, hint=hint, status=status, detail=detail, param=param, code=code,
            retry_after_s=retry_after_s, passing=passing,
        )  # fmt: skip

    if status == 401 or code == "invalid_api_key":
        if settings.api_key is None:
            return fault(f"{settings.host} asks for an API key, and none is set.", "auth")
        return fault(f"{settings.host} does not accept the API key.", "auth")
    if status == 403:
        return fault(f"{settings.host} does not allow this: {said}", "auth")
    if status == 429 or code in ("rate_limit_exceeded", "insufficient_quota"):
        spent = code == "insufficient_quota" or "quota" in lowered
        return fault(f"{settings.host} takes no more requests now: {said}", "rate_limited", passing=not spent)
    if status == 404:
        if "model" in lowered or code == "model_not_found":
            return fault(f"{settings.host} does not know the model {settings.model!r}.", "refused")
        hint = "The base URL usually ends in /v1."
        return fault(
            f"There is no Chat Completions server at {settings.host} under that address.", "refused", hint=hint
        )
    if status >= 500 or status in (408, 409, 425):
        return fault(f"{settings.host} failed (status {status}): {said}", "server", passing=True)
    if status:
        return fault(f"{settings.host} refused the request (status {status}): {said}", "refused")
    return fault(f"{settings.host} broke off with an error: {said}", "server")


def connection_fault(error: BaseException, settings: ModelSettings) -> WireError:
    """The fault of a connection that could not be made or broke, from an exception and its causes."""
    names = " ".join(f"{type(cause).__name__} {cause}" for cause in _causes(error))
    host = settings.host
    if any(isinstance(cause, TimeoutError) or type(cause).__name__.endswith("Timeout") for cause in _causes(error)):
        return WireError(f"{host} did not answer in time.", kind="timeout", passing=True)
    if "CERTIFICATE_VERIFY_FAILED" in names:
        hint = "Check the address, the clock, and, for a server of your own, that its certificate is trusted here."
        return WireError(f"The certificate of {host} can't be verified.", kind="unreachable", hint=hint)
    if "SSL" in names:
        hint = "Check whether the address should begin with http:// instead of https://."
        return WireError(f"No secure connection to {host} could be made.", kind="unreachable", hint=hint)
    if "gaierror" in names:
        return WireError(f"There is no server of the name {host}.", kind="unreachable", passing=True)
    if "ConnectionRefusedError" in names or "All connection attempts failed" in names:
        return WireError(f"Nothing answers at {host}.", kind="unreachable", passing=True)
    return WireError(f"The connection to {host} broke off.", kind="unreachable", passing=True)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: list[BaseException] = []
    waiting = [error]
    while waiting:
        cause = waiting.pop()
        if any(cause is known for known in seen):
            continue
        seen.append(cause)
        yield cause
        waiting.extend(part for part in (cause.__cause__, cause.__context__) if part is not None)
        if isinstance(cause, BaseExceptionGroup):
            waiting.extend(cause.exceptions)


def _error_object(body: str) -> dict[str, str]:
    """Message, code and param of an error body; empty texts for what it does not have."""
    found = {"message": "", "code": "", "param": ""}
    try:
        value: Any = json.loads(body)
    except (ValueError, RecursionError):
        return found
    value = value[0] if isinstance(value, list) and value else value
    if not isinstance(value, Mapping):
        return found
    error = value.get("error") or value
    if not isinstance(error, Mapping):
        return {**found, "message": str(error)}
    detail = error.get("message") or error.get("detail") or error.get("error") or ""
    if isinstance(detail, list):  # FastAPI's form: one entry for each place, which it names in `loc`
        entries = [entry for entry in detail if isinstance(entry, Mapping)]
        found["param"] = ".".join(str(step) for step in entries[0].get("loc", ()) if step != "body") if entries else ""
        detail = "; ".join(str(entry.get("msg", "")) for entry in entries)
    metadata = error.get("metadata")
    if isinstance(metadata, Mapping) and metadata.get("raw"):  # a router's: what the server behind it said
        detail = f"{detail}: {metadata['raw']}"
    found["message"] = detail if isinstance(detail, str) else json.dumps(detail)
    for key in ("code", "param"):
        if error.get(key) is not None:
            found[key] = str(error[key])
    found["code"] = found["code"] or str(error.get("type") or "")
    return found


def _plain(body: str) -> str:
    return "it sent a web page" if body.lstrip()[:1] == "<" else body


def _short(text: str) -> str:
    line = " ".join(text.split())
    return (line[:_SHOWN_CHARACTERS] + " ...") if len(line) > _SHOWN_CHARACTERS else line or "no reason given"

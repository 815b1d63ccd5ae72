"""Keeps secrets in the process: fields that hold them are known by name, values by the shape that keys have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from app.agent.json_types import Json, JsonObject
from app.agent.snapshot import InstanceView

HIDDEN = "[hidden]"
"""What stands in place of a secret."""

_SECRET_NAME = re.compile(
    r"""(?ix) (?<![a-z])
    ( pass[\W_]?(word|phrase|code|wd)s? | pwd | secrets? | tokens? | credentials? | pin([\W_]?(code|number))?
    | (api|access|private|secret|signing|encryption|licen[cs]e)[\W_]?keys? | client[\W_]?secret
    | cvv2? | cvc | security[\W_]?code | (card|account)[\W_]?number | otp | one[\W_]?time[\W_]?(code|password)
    ) (?![a-z])"""
)

# Prefixes as their issuers document them. Each pattern wants enough characters after the prefix that a word of prose
# can't match.
_SECRET_VALUES = (
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    r"\bsk-[A-Za-z0-9_*-]{8,}",
    r"\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}",
    r"\bgh[pousr]_[A-Za-z0-9]{20,}",
    r"\bgithub_pat_[A-Za-z0-9_]{20,}",
    r"\bglpat-[A-Za-z0-9_-]{15,}",
    r"\bxox[abeprs]-[A-Za-z0-9-]{10,}",
    r"\bhooks\.slack\.com/services/[A-Za-z0-9/]{10,}",
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    r"\bAIza[A-Za-z0-9_-]{30,}",
    r"\bhf_[A-Za-z0-9]{20,}",
    r"\bnpm_[A-Za-z0-9]{30,}",
    r"\bpypi-[A-Za-z0-9_-]{30,}",
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
)
_SECRET_VALUE = re.compile("|".join(_SECRET_VALUES), re.DOTALL)

# The value alone goes, so that the sentence round it still tells what was there.
_NAMED_VALUE = re.compile(
    r"""(?ix) (?P<name> \b (?:
      (?: pass(?:word|phrase|wd) | pwd | (?:api|access|private)[\s_-]?key | (?:auth|access)[\s_-]?token )
      ["']? (?: \s* [:=] \s* | \s+ is \s+ (?= \S* \d ) )
    | secret ["']? (?: \s* = \s* | \s* : \s* (?= \S* \d ) | \s+ is \s+ (?= \S* \d ) )
    ) ["']?) (?P<value> [^\s"',;]{4,})"""
)
_BEARER = re.compile(r"(?i)(?P<name>\b(?:bearer|basic)\s+)(?P<value>[A-Za-z0-9._~+/-]{12,}=*)")
_URL_PASSWORD = re.compile(r"(?P<name>\b[a-z][a-z0-9+.-]*://)(?P<value>[^/\s:@]*:[^/\s@]+)(?=@)", re.IGNORECASE)
_NAMED = (_NAMED_VALUE, _BEARER, _URL_PASSWORD)


def is_secret_name(*names: str) -> bool:
    """Whether any of the names (a label, a handle, a key) is that of something secret, such as a password."""
    return any(_SECRET_NAME.search(name.replace("_", " ")) for name in names)


def redact(text: str, known: Iterable[str] = ()) -> str:
    """`text` with everything that looks like a key or a password replaced by `HIDDEN`.

    Args:
        text: Anything about to leave the process or to be logged.
        known: Secrets that are replaced wherever they occur, whatever they look like.
    """
    for secret in known:
        if secret:
            text = text.replace(secret, HIDDEN)
    text = _SECRET_VALUE.sub(HIDDEN, text)
    for pattern in _NAMED:
        text = pattern.sub(rf"\g<name>{HIDDEN}", text)
    return text


def redact_json(value: Json, known: Iterable[str] = ()) -> Json:
    """`value` with every text in it redacted, and with whatever stands under a secret name hidden."""
    secrets = tuple(known)
    if isinstance(value, str):
        return redact(value, secrets)
    if isinstance(value, Mapping):
        return {
            key: HIDDEN if part is not None and is_secret_name(key) else redact_json(part, secrets)
            for key, part in value.items()
        }
    if isinstance(value, Sequence):
        return [redact_json(part, secrets) for part in value]
    return value


def public_state(view: InstanceView) -> JsonObject:
    """The state of an instance as it may leave the process: the value of a secret field is not in it."""
    secret = is_secret_name(view.label, view.handle, *view.aliases)
    kept = {key: value for key, value in view.state.items() if not (secret and key in ("value", "effect"))}
    return {key: redact_json(value) for key, value in kept.items()}

"""Finds tools that a reader, a model or the grammar could take for each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from app.agent.registry import Registry
from app.agent.tools import Tool


@dataclass(frozen=True, slots=True)
class Confusion:
    """Two or more tools that share what should tell them apart.

    Attributes:
        kind: What they share.
        text: The docstring, sentence template or utterance, in plain form.
        tools: Wire names, in the order in which they were registered.
    """

    kind: Literal["docstring", "phrase", "example"]
    text: str
    tools: tuple[str, ...]


def confusable(registry: Registry) -> tuple[Confusion, ...]:
    """Reports the tools that a registry knows and that have the same docstring, phrase or example.

    Capitals, spaces and a full stop at the end make no difference.
    """
    shared: dict[tuple[Literal["docstring", "phrase", "example"], str], list[str]] = {}
    for tool in registry.tools():
        for what in dict.fromkeys(_texts(tool)):
            shared.setdefault(what, []).append(tool.name)
    return tuple(Confusion(kind, text, tuple(names)) for (kind, text), names in shared.items() if len(names) > 1)


def _texts(tool: Tool) -> Iterator[tuple[Literal["docstring", "phrase", "example"], str]]:
    yield "docstring", _plain(tool.description)
    for phrase in tool.options.phrases:
        yield "phrase", _plain(phrase)
    for example in tool.options.examples:
        yield "example", _plain(example.utterance)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")

"""More tools than a model takes: those that fit the utterance are offered, and `find_tools` finds the rest."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from app.agent.handles import FunctionHandle
from app.agent.registry import Registry
from app.agent.snapshot import Snapshot, ToolView
from app.agent.tools import ai_tool

TOOL_LIMIT = 128
"""What the Chat Completions API accepts in one request."""

FIND_TOOLS = "find_tools"

_FOUND = 10
_WORD = re.compile(r"\w+")
_MOST_WORDS = 60


def select_tools(snapshot: Snapshot, text: str, limit: int = TOOL_LIMIT, queries: Sequence[str] = ()) -> Snapshot:
    """Cuts a snapshot down to the tools that a model should be offered for an utterance.

    Where all fit they stay, and `find_tools` goes: there is nothing to find. Otherwise what was found by `queries`
    comes first, then the tools without a target (going to a page, undoing), then the others by how well their name,
    title, description, and the labels and aliases of their instances fit the text.

    Args:
        snapshot: Everything on screen.
        text: The utterance.
        limit: The most tools to offer.
        queries: What `find_tools` was asked for in this run: what it found must be offered in the next turn.
    """
    finder = snapshot.tool(FIND_TOOLS)
    others = [tool for tool in snapshot.tools if tool is not finder]
    if len(others) <= limit:
        return snapshot if finder is None else replace(snapshot, tools=tuple(others))
    room = limit - 1 if finder is not None else limit
    chosen: dict[str, None] = {}
    with closing(_Index(others, snapshot)) as index:
        for query in reversed(queries):
            chosen.update(dict.fromkeys(index.best(query, _FOUND)))
        chosen.update(dict.fromkeys([tool.name for tool in others if not tool.targets][: room // 2]))
        chosen.update(dict.fromkeys(index.best(text, room)))
    # What is left of the room goes to the first ones on screen.
    chosen.update(dict.fromkeys(tool.name for tool in others))
    names = set(list(chosen)[:room])
    return replace(snapshot, tools=tuple(tool for tool in snapshot.tools if tool is finder or tool.name in names))


def find_tools(snapshot: Snapshot, query: str, limit: int = _FOUND) -> tuple[ToolView, ...]:
    """The tools on screen that fit a query, best first."""
    with closing(_Index([tool for tool in snapshot.tools if tool.name != FIND_TOOLS], snapshot)) as index:
        return tuple(tool for name in index.best(query, limit) if (tool := snapshot.tool(name)) is not None)


def register_find_tools(registry: Registry) -> FunctionHandle:
    """Registers the tool by which a model finds those that were not offered to it. `select_tools` leaves it out where
    everything was."""

    @ai_tool(name=FIND_TOOLS, policy="auto")
    def finder(query: Annotated[str, Field(min_length=1, max_length=200)]) -> list[dict[str, str]]:
        """Finds tools that are on the screen but were not offered; what it finds is offered next.

        Args:
            query: What the tool should do, in a few words.
        """
        found = find_tools(registry.snapshot(), query)
        return [{"name": tool.name, "title": tool.title, "description": tool.description} for tool in found]

    return registry.register_function(finder)


class _Index:
    """A full-text index over tools, in memory, for one question or a few."""

    def __init__(self, tools: Sequence[ToolView], snapshot: Snapshot) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.execute(
            "CREATE VIRTUAL TABLE tools USING fts5(wire UNINDEXED, name, labels, description, "
            "tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        self._database.executemany(
            "INSERT INTO tools VALUES (?, ?, ?, ?)",
            [
                (
                    tool.name,
                    # Porter splits at punctuation, not at capitals: `NewTalk_save` is three words.
                    re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]", " ", tool.name) + " " + tool.title,
                    " ".join([word for view in snapshot.available(tool.name) for word in (view.label, *view.aliases)]),
                    tool.description,
                )
                for tool in tools
            ],
        )

    def best(self, text: str, limit: int) -> list[str]:
        """Wire names of the tools that share a word with the text, best first."""
        words = _WORD.findall(text)[:_MOST_WORDS]
        if not words:
            return []
        query = " OR ".join(f'"{word}"' for word in words)
        rows = self._database.execute(
            "SELECT wire FROM tools WHERE tools MATCH ? ORDER BY bm25(tools, 0.0, 4.0, 3.0, 1.0), rowid LIMIT ?",
            (query, limit),
        )
        return [name for (name,) in rows]

    def close(self) -> None:
        """Frees the index."""
        self._database.close()

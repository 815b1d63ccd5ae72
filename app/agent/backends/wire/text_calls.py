"""Notices a call that a model wrote into its answer as text. Such a call is never run: it is only pointed out."""

from __future__ import annotations

import re
from collections.abc import Collection

_TAG = re.compile(
    r"(?i)<\|?/?tool_?calls?\|?>|<\|?python_tag\|?>|\[TOOL_CALLS\]|<function[=\s(]|<invoke\b|<\|channel\|>commentary"
)
_NAME = re.compile(r"""["'](?:name|function|tool|tool_name)["']\s*:\s*["']([A-Za-z0-9_.-]{1,64})["']""")
_FUNCTION_TAG = re.compile(r"""<(?:function|invoke)[=\s]+(?:name=)?["']?([A-Za-z0-9_-]{1,64})""")
_LOOKS_LIKE_JSON = re.compile(r"```|^\s*[\[{]", re.MULTILINE)


def call_as_text(text: str, offered: Collection[str]) -> str | None:
    """The name of the tool that `text` seems to call, or None.

    A tag of a chat template is a call by itself (the name is "" where none can be read). JSON alone is one only where
    it names a tool that is offered: an answer may well quote JSON.
    """
    names = _NAME.findall(text) + _FUNCTION_TAG.findall(text)
    known = next((name for name in names if name in offered), None)
    if _TAG.search(text):
        return known or (names[0] if names else "")
    return known if known is not None and _LOOKS_LIKE_JSON.search(text) else None

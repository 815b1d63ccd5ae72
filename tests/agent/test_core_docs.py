"""Every Python block of docs/tools.md runs, in order, as one program."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).parents[2] / "docs" / "tools.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_blocks_run(monkeypatch: pytest.MonkeyPatch) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) >= 10
    assert text.count("```") == 2 * len(blocks)
    # A module of its own: annotations are looked up in the module of the function.
    module = types.ModuleType("tools_document")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        # The line breaks before it make errors point into the document.
        exec(compile("\n" * line + block[1], str(DOCUMENT), "exec", dont_inherit=True), module.__dict__)

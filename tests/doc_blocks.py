"""Runs the Python blocks of a document, in order, as one program."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Mapping
from pathlib import Path

import pytest

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def run_blocks(document: Path, given: Mapping[str, object], monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Runs them with the names `given`, and returns the names afterwards. Errors point into the document."""
    text = document.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    assert blocks
    # A module of its own: annotations are looked up in the module of their class.
    module = types.ModuleType(f"document_{document.stem}")
    module.__dict__.update(given)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], str(document), "exec", dont_inherit=True), module.__dict__)
    return module.__dict__

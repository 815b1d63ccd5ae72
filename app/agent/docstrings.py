"""What a docstring says about a function and its parameters, in Google, NumPy or Sphinx style."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class DocstringParts:
    """A docstring taken apart.

    Attributes:
        text: Summary and body, without the sections about parameters, results and errors.
        parameters: Parameter name -> description, on one line.
    """

    text: str
    parameters: Mapping[str, str] = field(default_factory=dict)


_SECTION = re.compile(r"^\s*\S.*:\s*$|^\s*[-=~]{3,}\s*$|^\s*:\w|^\s*(\.\. |!!!|@\w)", re.MULTILINE)
"""What may begin a section in one of the styles; a line too many only takes the longer way."""

_PLAIN_ARGUMENT = re.compile(r"    (\w+): (\S.*(?:\n {8,}\S.*)*)(?:\n|$)")


def read_docstring(docstring: str) -> DocstringParts:
    """Takes a docstring apart; its style is found out from its sections."""
    return _read_plain(inspect.cleandoc(docstring)) or _read_any(docstring)


def _read_plain(docstring: str) -> DocstringParts | None:
    """Reads text with at most one section, "Args:" with plain lines, as the tools of the program are written.

    They are registered before the window is painted, and griffe takes 0.2 s to import.
    """
    text, _, listed = docstring.partition("\n\nArgs:\n")
    arguments = _PLAIN_ARGUMENT.findall(listed)
    rest = _PLAIN_ARGUMENT.sub("", listed)
    if not text.strip() or rest or _SECTION.search(text) or any(_SECTION.search(words) for _, words in arguments):
        return None
    return DocstringParts(text.strip(), {name: " ".join(words.split()) for name, words in arguments})


def _read_any(docstring: str) -> DocstringParts:
    import griffe

    texts: list[str] = []
    parameters: dict[str, str] = {}
    # griffe warns about types that are missing in the docstring: ours are in the signature.
    quiet: Any = {"google": {"warnings": False}, "numpy": {"warnings": False}, "sphinx": {"warnings": False}}
    sections = griffe.parse_auto(
        griffe.Docstring(docstring),
        default=griffe.Parser.google,
        per_style_options=quiet,
    )
    for section in sections:
        if section.kind is griffe.DocstringSectionKind.text:
            texts.append(section.value.strip())
        elif section.kind in (
            griffe.DocstringSectionKind.parameters,
            griffe.DocstringSectionKind.other_parameters,
        ):
            parameters.update({part.name: " ".join(part.description.split()) for part in section.value})
    return DocstringParts("\n\n".join(filter(None, texts)), parameters)

"""What a docstring says about a function and its parameters, in Google, NumPy or Sphinx style."""

from __future__ import annotations

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


def read_docstring(docstring: str) -> DocstringParts:
    """Takes a docstring apart; its style is found out from its sections."""
    import griffe  # Slow to import (0.13 s), and needed only once tools are registered.

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

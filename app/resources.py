"""Where the data files of the program are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resources_dir() -> Path:
    """The folder that holds `grammar`, `icons` and the like.

    Raises:
        FileNotFoundError: The installation is incomplete.
    """
    for folder in (_PACKAGE / "_resources", _PACKAGE.parent / "resources"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError("The program's data files are missing: install it again.")


def grammar_dir() -> Path:
    """The folder of the command grammars and value words, one file of each for a language."""
    return resources_dir() / "grammar"

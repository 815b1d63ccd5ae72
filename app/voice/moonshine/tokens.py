"""Text to Moonshine's tokens and back."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

START, END = 1, 2
"""The tokens before and after every sentence."""

_SPECIAL = 3
_SPACE = "\N{LOWER ONE EIGHTH BLOCK}"
"""What SentencePiece writes for a space; one stands before the first word, too."""

_LONG = 128


class Tokens:
    """The vocabulary: 32,000 pieces of words, as bytes; a piece's number is its rank when letters are joined."""

    def __init__(self, file: Path) -> None:
        """Reads `tokenizer.bin`: for each piece its length in bytes, in one byte or two, and the bytes.

        Raises:
            ValueError: The file is cut off.
            OSError: It can't be read.
        """
        self._pieces = _pieces(file.read_bytes())
        # Single bytes come first, for letters that have no piece: of two equal pieces the later one is the letter.
        self._numbers = {piece: number for number, piece in enumerate(self._pieces)}

    def text(self, numbers: Iterable[int]) -> str:
        """The text of tokens, without those that say where it begins and ends."""
        pieces = [self._pieces[number] for number in numbers if _SPECIAL <= number < len(self._pieces)]
        return b"".join(pieces).decode(errors="replace").replace(_SPACE, " ").strip()

    def numbers(self, text: str) -> list[int]:
        """The tokens that SentencePiece's byte-pair encoding gives for a text.

        Pairs of neighbours are joined as long as there is a piece for them, the one with the lowest number first
        (Kudo and Richardson, 2018). A letter that has no piece becomes the unknown token.
        """
        parts = [letter.encode() for letter in (" " + text).replace(" ", _SPACE)]
        while pairs := [
            (number, at)
            for at in range(len(parts) - 1)
            if (number := self._numbers.get(parts[at] + parts[at + 1])) is not None
        ]:
            _, at = min(pairs)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return [self._numbers.get(part, 0) for part in parts]


def _pieces(data: bytes) -> list[bytes]:
    pieces, at = [], 0
    while at < len(data):
        length, at = data[at], at + 1
        if length >= _LONG:
            length, at = data[at] * _LONG + length - _LONG, at + 1
        if at + length > len(data):
            raise ValueError("the vocabulary is cut off")
        pieces.append(data[at : at + length])
        at += length
    return pieces

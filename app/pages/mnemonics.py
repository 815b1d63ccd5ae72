"""Letters to reach a field or button with the Alt key."""

from __future__ import annotations


def with_mnemonic(label: str, taken: set[str]) -> str:
    """The label with a mark before a letter that is still free, which is then taken; without one where none is.

    First letters of words go first: people look for them there.
    """
    starts = [
        index for index, letter in enumerate(label) if letter.isalnum() and (index == 0 or label[index - 1] == " ")
    ]
    others = [index for index, letter in enumerate(label) if letter.isalnum() and index not in starts]
    for index in (*starts, *others):
        letter = label[index].casefold()
        if letter not in taken:
            taken.add(letter)
            return f"{label[:index]}&{label[index:]}"
    return label

"""Says of texts how likely they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.voice.moonshine.network import Decoder, Memory, Rows
from app.voice.moonshine.tokens import END, START


@dataclass(frozen=True, slots=True)
class Judgement:
    """What Moonshine thinks of a text.

    Attributes:
        log_probability: The mean natural-log probability per token, that of its end included.
        is_own: Each token is the one that Moonshine itself would have written there.
    """

    log_probability: float
    is_own: bool


def judged(decoder: Decoder, heard: Memory, sentences: Sequence[Sequence[int]]) -> list[Judgement]:
    """Judges sentences, tokens without start and end, in one step. What several begin with is read once."""
    tree: dict[tuple[int, ...], int] = {}
    """The row of each beginning."""
    asked: list[tuple[int, int]] = []
    for sentence in sentences:
        whole = (START, *sentence, END)
        asked += [(tree.setdefault(whole[:end], len(tree)), whole[end]) for end in range(1, len(whole))]
    seen = np.eye(len(tree), dtype=np.bool_)
    for beginning, row in tree.items():
        if len(beginning) > 1:
            seen[row] |= seen[tree[beginning[:-1]]]
    rows = Rows(
        np.array([beginning[-1] for beginning in tree]),
        np.array([len(beginning) - 1 for beginning in tree]),
        seen,
        np.array(asked),
    )
    after = decoder.step(rows, heard, decoder.nothing())
    own = after.scores[rows.asked[:, 0], 0] <= after.asked
    ends = np.cumsum([len(sentence) + 1 for sentence in sentences])[:-1]
    return [
        Judgement(float(given.mean()), bool(likeliest.all()))
        for given, likeliest in zip(np.split(after.asked, ends), np.split(own, ends), strict=True)
    ]

"""Beam search: the likeliest sentences, not only the likeliest next token."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from app.voice.moonshine.network import BEST, Decoder, Memory, Rows
from app.voice.moonshine.tokens import END, START

WIDTH = BEST // 2
"""So many unfinished sentences are kept at each token. Of the best 2 x WIDTH at most WIDTH can be ends."""

_HOPELESS = 3.5
"""What is so much less likely than the likeliest, as a whole, is given up: it would never be chosen."""

_NOTHING_ASKED = np.zeros((0, 2), np.int64)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens without start and end, and the mean log-probability of each of them and the end."""

    tokens: tuple[int, ...]
    log_probability: float


def likeliest(decoder: Decoder, heard: Memory, *, most_tokens: int, check: Callable[[], None]) -> list[Sentence]:
    """Finds up to `WIDTH` sentences, likeliest first.

    Args:
        decoder: The network.
        heard: What it has to hear.
        most_tokens: Where a sentence is given up that does not end.
        check: Called before each token; may raise to end the search.
    """
    seen = np.ones((1, 1), dtype=np.bool_)
    start = Rows(np.array([START]), np.array([0]), seen, _NOTHING_ASKED)
    after = decoder.step(start, heard, decoder.nothing())
    sentences = [[int(token)] for token in after.tokens[0, :WIDTH]]
    totals = after.scores[0, :WIDTH].astype(np.float64)
    seen = seen[[0] * WIDTH]
    ended: list[tuple[float, Sentence]] = []
    for length in range(1, most_tokens + 1):
        check()
        # Nothing is forgotten: a row that no sentence goes on from is seen by none.
        seen = np.concatenate((seen, np.eye(len(sentences), dtype=np.bool_)), axis=1)
        last = np.array([sentence[-1] for sentence in sentences])
        after = decoder.step(Rows(last, np.full(len(sentences), length), seen, _NOTHING_ASKED), heard, after.memory)
        sums = totals[:, None] + after.scores
        going: list[tuple[int, int]] = []
        limit = max(float(sums.max()), ended[0][0] if ended else -np.inf) - _HOPELESS
        for place in np.argsort(-sums, axis=None)[:BEST]:
            row, rank = divmod(int(place), BEST)
            if after.tokens[row, rank] == END:
                total = float(sums[row, rank])
                ended.append((total, Sentence(tuple(sentences[row]), total / (len(sentences[row]) + 1))))
                ended.sort(key=lambda one: -one[0])
            elif len(going) < WIDTH and sums[row, rank] > limit:
                going.append((row, rank))
        if not going:
            break
        totals = np.array([sums[row, rank] for row, rank in going])
        sentences = [[*sentences[row], int(after.tokens[row, rank])] for row, rank in going]
        seen = seen[[row for row, _ in going]]
        if len(ended) >= WIDTH and ended[WIDTH - 1][0] >= totals[0]:
            break
    return sorted((sentence for _, sentence in ended[:WIDTH]), key=lambda one: -one.log_probability)

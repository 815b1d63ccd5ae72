"""Beam search: the likeliest sentences, not only the likeliest next token."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from app.voice.moonshine.network import Cache, Decoder
from app.voice.moonshine.tokens import END, START

_HOPELESS = 3.5
"""What is so much less likely than the likeliest, as a whole, is given up: it would never be chosen."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens without start and end, and the mean log-probability of each of them and the end."""

    tokens: tuple[int, ...]
    log_probability: float


def likeliest(
    decoder: Decoder, sound: Cache, *, width: int, most_tokens: int, check: Callable[[], None]
) -> list[Sentence]:
    """Finds up to `width` sentences, likeliest first.

    Args:
        decoder: The network.
        sound: What it has to hear.
        width: How many unfinished sentences are kept at each token.
        most_tokens: Where a sentence is given up that does not end.
        check: Called before each token; may raise to end the search.
    """
    scores, cache = decoder.step(np.array([[START]]), sound, None)
    first = np.argsort(-scores[0, -1])[:width]
    sentences = [[int(token)] for token in first]
    totals = scores[0, -1][first].astype(np.float64)
    cache = _taken(cache, [0] * width)
    ended: list[tuple[float, Sentence]] = []
    for _ in range(most_tokens):
        check()
        scores, cache = decoder.step(np.array([[sentence[-1]] for sentence in sentences]), sound, cache)
        sums = totals[:, None] + scores[:, -1]
        # Of the best 2 x width at most width can be ends: enough others stay.
        best = np.argpartition(-sums, 2 * width, axis=None)[: 2 * width]
        best = best[np.argsort(-sums.flat[best])]
        going: list[tuple[int, int]] = []
        limit = max(float(sums.max()), ended[0][0] if ended else -np.inf) - _HOPELESS
        for place in best:
            row, token = divmod(int(place), sums.shape[1])
            if token == END:
                total = float(sums[row, token])
                ended.append((total, Sentence(tuple(sentences[row]), total / (len(sentences[row]) + 1))))
                ended.sort(key=lambda one: -one[0])
            elif len(going) < width and sums[row, token] > limit:
                going.append((row, token))
        if not going:
            break
        totals = np.array([sums[row, token] for row, token in going])
        sentences = [[*sentences[row], token] for row, token in going]
        cache = _taken(cache, [row for row, _ in going])
        if len(ended) >= width and ended[width - 1][0] >= totals[0]:
            break
    return sorted((sentence for _, sentence in ended[:width]), key=lambda one: -one.log_probability)


def _taken(cache: Cache, rows: list[int]) -> Cache:
    return tuple((key[rows], value[rows]) for key, value in cache)

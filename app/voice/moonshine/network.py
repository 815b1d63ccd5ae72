"""Moonshine's decoder: from the tokens so far, and what was heard, to the log-probabilities of the next token.

The architecture is that of Jeffries et al., "Moonshine: Speech Recognition for Live Transcription and Voice Commands"
(2024): a transformer with rotary positions over a part of each head and gated feed-forwards.
"""

from __future__ import annotations

from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from app.voice.moonshine.weights import Layer, Matrix, Weights

_HEADS = 8

KeysAndValues: TypeAlias = tuple[Matrix, Matrix]
"""Each of shape (sentences, heads, positions, width of a head)."""

Cache: TypeAlias = tuple[KeysAndValues, ...]
"""One pair a layer."""

_FEW_ROWS = 2

_HIDDEN = np.float32(-1e9)


class Decoder:
    """Holds weights and no state: the caller keeps the caches."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._scale = np.float32((weights.embedding.shape[1] // _HEADS) ** -0.5)

    def listen(self, encoded: Matrix) -> Cache:
        """What attention to the sound needs of the encoder's output, shape (1, frames, width)."""
        return tuple(
            (_heads(_projected(encoded, layer.key)), _heads(_projected(encoded, layer.value)))
            for layer in self._weights.layers
        )

    def step(self, tokens: NDArray[np.int64], sound: Cache, before: Cache | None) -> tuple[Matrix, Cache]:
        """Reads more tokens.

        Args:
            tokens: Shape (sentences, positions): those after the ones that `before` was made of.
            sound: What `listen` gave; it is the same for all sentences.
            before: What the last step gave; None at the start.

        Returns:
            Log-probabilities of the token after each of them, shape (sentences, positions, tokens), and the cache.
        """
        weights = self._weights
        past = before[0][0].shape[2] if before else 0
        positions = np.arange(past, past + tokens.shape[1])
        turns = positions[:, None].astype(np.float32) * weights.frequencies
        future = np.arange(past + tokens.shape[1]) > positions[:, None]
        mask = np.where(future, _HIDDEN, np.float32(0))
        x = weights.embedding[tokens]
        cache = []
        for number, layer in enumerate(weights.layers):
            x, pair = self._layer(layer, x, sound[number], before[number] if before else None, turns, mask)
            cache.append(pair)
        return _log_softmax(_projected(self._norm(x, weights.norm), weights.embedding.T)), tuple(cache)

    def _layer(
        self,
        layer: Layer,
        x: Matrix,
        sound: KeysAndValues,
        before: KeysAndValues | None,
        turns: Matrix,
        mask: Matrix,
    ) -> tuple[Matrix, KeysAndValues]:
        first, second, third = layer.norms
        query, key, value = (_heads(part) for part in np.split(_projected(self._norm(x, first), layer.own), 3, axis=-1))
        query, key = _turned(query, turns), _turned(key, turns)
        if before is not None:
            key, value = np.concatenate((before[0], key), axis=2), np.concatenate((before[1], value), axis=2)
        x = x + _projected(self._attention(query, (key, value), mask), layer.own_out)
        asked = _heads(_projected(self._norm(x, second), layer.query))
        x = x + _projected(self._attention(asked, sound, None), layer.out)
        values, gates = np.split(_projected(self._norm(x, third), layer.up) + layer.up_offset, 2, axis=-1)
        gated: Matrix = values * gates / (1 + np.exp(-gates))
        return cast(Matrix, x + _projected(gated, layer.down) + layer.down_offset), (key, value)

    def _attention(self, query: Matrix, memory: KeysAndValues, mask: Matrix | None) -> Matrix:
        key, value = memory
        scores = cast(Matrix, query @ key.swapaxes(2, 3) * self._scale)
        if mask is not None:
            scores += mask
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        mixed = (scores @ value).swapaxes(1, 2)
        return mixed.reshape(*mixed.shape[:2], -1)

    def _norm(self, x: Matrix, scale: Matrix) -> Matrix:
        centred = x - x.mean(axis=-1, keepdims=True)
        variance = np.square(centred).mean(axis=-1, keepdims=True)
        return cast(Matrix, centred / np.sqrt(variance + np.float32(self._weights.epsilon)) * scale)


def _projected(x: Matrix, matrix: Matrix) -> Matrix:
    """The product with a matrix of weights.

    Of a few rows each is multiplied by itself, which waits for memory alone; more are multiplied together, for which
    the library first copies the matrix.
    """
    rows = x.reshape(-1, x.shape[-1])
    product = np.matmul(rows[:, None], matrix) if len(rows) <= _FEW_ROWS else rows @ matrix
    return cast(Matrix, product.reshape(*x.shape[:-1], -1))


def _heads(x: Matrix) -> Matrix:
    sentences, positions, width = x.shape
    return x.reshape(sentences, positions, _HEADS, width // _HEADS).swapaxes(1, 2)


def _turned(x: Matrix, turns: Matrix) -> Matrix:
    """Rotary positions (Su et al., 2021): neighbouring pairs of the first numbers of a head are turned."""
    width = 2 * turns.shape[1]
    cosine, sine = np.cos(turns), np.sin(turns)
    even, odd = x[..., 0:width:2], x[..., 1:width:2]
    turned = x.copy()
    turned[..., 0:width:2] = even * cosine - odd * sine
    turned[..., 1:width:2] = odd * cosine + even * sine
    return turned


def _log_softmax(x: Matrix) -> Matrix:
    x = x - x.max(axis=-1, keepdims=True)
    return cast(Matrix, x - np.log(np.exp(x).sum(axis=-1, keepdims=True)))

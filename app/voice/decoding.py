"""Recognises one piece of speech with a Whisper model: a shortened context first, the stock path where that fails.

Whisper pads everything to 30 s, and its encoder is nearly all of the cost. Here a short piece is padded to 10 s or so:
some seconds of zeros must follow the speech, or the decoder says the sentence again and again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.voice.hypotheses import (
    LOW_LOG_PROBABILITY,
    can_be_said,
    distinct,
    is_trustworthy,
    sounds_like_any,
    without_repetition,
)
from app.voice.types import SAMPLE_RATE_HZ, HeardHypothesis, Samples

if TYPE_CHECKING:
    from ctranslate2 import StorageView
    from faster_whisper import WhisperModel
    from faster_whisper.tokenizer import Tokenizer

_SHORTEST_CONTEXT_S = 10
_FULL_CONTEXT_S = 30
_ZEROS_AFTER_SPEECH_S = 3.0
_HYPOTHESES = 5
_TOKENS_PER_SECOND = 10
"""Fast speech has about 5 words a second; letters, names and figures take two tokens each."""
_FEWEST_TOKENS = 24
_MOST_BIAS_TOKENS = 100
_IMPOSSIBLE = -20.0
"""The log-probability of what has none."""

_NOBODY_SPEAKS = 0.6
"""Whisper's own bound for its probability of "no speech"."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Readings of one piece, best first, and how sure the model is that nobody speaks (0 to 1)."""

    readings: tuple[HeardHypothesis, ...]
    no_speech_probability: float
    language: str

    @property
    def nobody_speaks(self) -> bool:
        """The model hears no speech, and what it printed all the same is unlikely."""
        unlikely = not self.readings or self.readings[0].log_probability < LOW_LOG_PROBABILITY
        return self.no_speech_probability > _NOBODY_SPEAKS and unlikely


def context_s(duration_s: float) -> int:
    """Seconds of context for a piece of this length: at least 10, at most Whisper's 30."""
    return min(_FULL_CONTEXT_S, max(_SHORTEST_CONTEXT_S, math.ceil(duration_s + _ZEROS_AFTER_SPEECH_S)))


@dataclass(frozen=True, slots=True)
class Encoded:
    """What the encoder, which is nearly all of the cost, made of a piece.

    Attributes:
        features: Its output.
        frames: Frames of 10 ms that went in, the zeros after the speech included.
    """

    features: StorageView
    frames: int


def encode_short(model: WhisperModel, samples: Samples) -> Encoded:
    """Encodes one piece of at most 30 s, mono and 16 kHz, with a context that fits it."""
    seconds = context_s(len(samples) / SAMPLE_RATE_HZ)
    padded = np.zeros(seconds * SAMPLE_RATE_HZ, dtype=np.float32)
    padded[: len(samples)] = samples[: len(padded)]
    frames = seconds * model.frames_per_second
    return Encoded(model.encode(model.feature_extractor(padded, padding=0)[:, :frames]), frames)


def decode(
    model: WhisperModel, samples: Samples, encoded: Encoded, languages: tuple[str, ...], bias: tuple[str, ...]
) -> Decoded:
    """Recognises one piece of at most 30 s.

    Args:
        model: faster-whisper's model.
        samples: Mono, 16 kHz.
        encoded: What `encode_short` made of them.
        languages: Those that may be spoken, ISO 639-1: the model finds out which. None given are all that it knows.
        bias: Words that are likely here.
    """
    decoded = decode_short(model, samples, encoded, languages, bias)
    readings = without_repetition(decoded.readings)
    if is_trustworthy(readings):
        return Decoded(readings, decoded.no_speech_probability, decoded.language)
    stock = decode_stock(model, samples, decoded.language)
    duration_s = len(samples) / SAMPLE_RATE_HZ
    return Decoded(
        distinct(reading for reading in (*stock.readings, *readings) if can_be_said(reading.text, duration_s)),
        max(stock.no_speech_probability, decoded.no_speech_probability),
        decoded.language,
    )


def decode_short(
    model: WhisperModel, samples: Samples, encoded: Encoded, languages: tuple[str, ...], bias: tuple[str, ...]
) -> Decoded:
    """Recognises with a context that fits the piece; gives several readings.

    With `bias` the decoder, which is cheap, runs twice over what the encoder, which is not, gave once. A biased reading
    counts only if it sounds like an unbiased one: so no word of the bias is ever printed that nobody said.
    """
    language = _language(model, encoded.features, languages)
    tokenizer = _tokenizer(model, language)
    most_tokens = _FEWEST_TOKENS + math.ceil(_TOKENS_PER_SECOND * len(samples) / SAMPLE_RATE_HZ)
    readings, no_speech_probability = _generate(model, tokenizer, encoded.features, (), most_tokens)
    if bias:
        biased, _ = _generate(model, tokenizer, encoded.features, bias, most_tokens)
        heard_alike = [reading for reading in biased if sounds_like_any(reading, readings)]
        readings = sorted((*readings, *heard_alike), key=lambda reading: -reading.log_probability)
    return Decoded(distinct(readings), no_speech_probability, language)


def log_probability(model: WhisperModel, encoded: Encoded, language: str, text: str) -> float:
    """How likely a text is for a piece: the mean natural-log probability per token, without that of its end."""
    tokenizer = _tokenizer(model, language)
    tokens = tokenizer.encode(f" {text}")
    if not tokens:
        return _IMPOSSIBLE
    aligned = model.model.align(encoded.features, _prompt(tokenizer, ()), [tokens], encoded.frames)[0]
    return float(np.log(np.maximum(aligned.text_token_probs, math.exp(_IMPOSSIBLE))).mean())


def _language(model: WhisperModel, encoded: StorageView, languages: tuple[str, ...]) -> str:
    """The likeliest of these languages. A short clip sounds like many of the hundred that the model knows."""
    if not model.model.is_multilingual:
        return "en"
    if len(languages) == 1:
        return languages[0]
    likeliest_first: list[str] = [token.strip("<|>") for token, _ in model.model.detect_language(encoded)[0]]
    return next((language for language in likeliest_first if language in languages), likeliest_first[0])


def _generate(
    model: WhisperModel, tokenizer: Tokenizer, encoded: StorageView, bias: tuple[str, ...], most_tokens: int
) -> tuple[list[HeardHypothesis], float]:
    prompt = _prompt(tokenizer, bias)
    result = model.model.generate(
        encoded,
        [prompt],
        beam_size=_HYPOTHESES,
        num_hypotheses=_HYPOTHESES,
        return_scores=True,
        return_no_speech_prob=True,
        max_length=len(prompt) + most_tokens,
    )[0]
    readings = [
        HeardHypothesis(tokenizer.decode([token for token in tokens if token < tokenizer.eot]).strip(), score)
        for tokens, score in zip(result.sequences_ids, result.scores, strict=True)
    ]
    return readings, result.no_speech_prob


def decode_stock(model: WhisperModel, samples: Samples, language: str) -> Decoded:
    """Recognises with the full context and timestamps, as faster-whisper does by itself; gives one reading."""
    # One temperature: sampling would make the same recording give different texts, and take up to six times as long.
    segments, _ = model.transcribe(
        samples, language=language, temperature=0.0, condition_on_previous_text=False, no_speech_threshold=None
    )
    parts = list(segments)
    text = " ".join(part.text.strip() for part in parts)
    tokens = sum(len(part.tokens) for part in parts)
    score = sum(part.avg_logprob * len(part.tokens) for part in parts) / tokens if tokens else 0.0
    silence = max((part.no_speech_prob for part in parts), default=1.0)
    return Decoded(distinct((HeardHypothesis(text, score),)), silence, language)


def _tokenizer(model: WhisperModel, language: str) -> Tokenizer:
    from faster_whisper.tokenizer import Tokenizer

    return Tokenizer(model.hf_tokenizer, model.model.is_multilingual, task="transcribe", language=language)


def _prompt(tokenizer: Tokenizer, bias: tuple[str, ...]) -> list[int]:
    before = []
    if bias:
        words = tokenizer.encode(" " + ", ".join(bias))[:_MOST_BIAS_TOKENS]
        before = [tokenizer.sot_prev, *words]
    return [*before, *tokenizer.sot_sequence, tokenizer.no_timestamps]

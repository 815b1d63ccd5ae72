"""Tells speech from muted, silence and noise, and cuts long recordings at pauses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.voice.types import SAMPLE_RATE_HZ, Heard, Samples

MUTED_PEAK = 2 / 32768
"""A muted device gives zeros, or the last bit flickering."""

SILENT_LEVEL = 0.0008
"""Loudest 50 ms (RMS) below -62 dBFS: quieter than a whisper into any microphone that is switched on."""

_LEVEL_WINDOW_S = 0.05
_SHORTEST_SPEECH_MS = 90
_PAUSE_MS = 350
_SPEECH_PAD_MS = 400
_LONGEST_STRETCH_S = 24.0
_GROUP_S = 14.0
_FULL_SCALE = 0.5
_QUIET_BEFORE_S = 0.25


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a recording, in samples: `start` inclusive, `end` exclusive."""

    start: int
    end: int


def loudest_level(samples: Samples) -> float:
    """RMS between 0 and 1 of the loudest 50 ms; the last window may be shorter."""
    if not len(samples):
        return 0.0
    starts = np.arange(0, len(samples), round(_LEVEL_WINDOW_S * SAMPLE_RATE_HZ))
    lengths = np.diff(np.append(starts, len(samples)))
    return float(np.sqrt(np.max(np.add.reduceat(np.square(samples, dtype=np.float64), starts) / lengths)))


def what_is_heard(samples: Samples) -> tuple[Heard, tuple[Span, ...]]:
    """Says whether somebody speaks, and where; or what there is instead."""
    if not len(samples):
        return "silent", ()
    if float(np.max(np.abs(samples))) < MUTED_PEAK:
        return "muted", ()
    if loudest_level(samples) < SILENT_LEVEL:
        return "silent", ()
    spans = speech_spans(samples)
    return ("speech", spans) if spans else ("no_speech", ())


def speech_spans(samples: Samples) -> tuple[Span, ...]:
    """The stretches of speech (Silero's detector, 32 ms frames), each with up to 0.4 s around it.

    No stretch is longer than 24 s; one that would be is cut at its last pause before that.
    """
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    options = VadOptions(
        min_speech_duration_ms=_SHORTEST_SPEECH_MS,
        min_silence_duration_ms=_PAUSE_MS,
        speech_pad_ms=_SPEECH_PAD_MS,
        max_speech_duration_s=_LONGEST_STRETCH_S,
    )
    found = get_speech_timestamps(_at_full_scale(samples), options)
    return tuple(Span(int(stretch["start"]), int(stretch["end"])) for stretch in found)


def only_silence_after(samples: Samples, at: int) -> bool:
    """Whether the speech in a recording was over well before sample `at`, so that nothing said since is missed."""
    margin = round(_QUIET_BEFORE_S * SAMPLE_RATE_HZ)
    return at > margin and not speech_spans(samples[at - margin :])


def speech_groups(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Pieces of about 14 s that can each be recognised at once, cut only where there is a pause.

    The pauses inside a group are kept, so that the recogniser hears whole sentences.
    """
    groups: list[Span] = []
    for span in spans:
        if groups and span.end - groups[-1].start <= _GROUP_S * SAMPLE_RATE_HZ:
            groups[-1] = Span(groups[-1].start, span.end)
        else:
            groups.append(span)
    return tuple(groups)


def _at_full_scale(samples: Samples) -> Samples:
    """The detector misses quiet speech; the same sound louder it finds."""
    peak = float(np.max(np.abs(samples), initial=0.0))
    return samples if peak == 0.0 else (samples * np.float32(_FULL_SCALE / peak))

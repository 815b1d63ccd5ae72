"""The sounds at key-down and key-up: what they are, taking them out of a recording again, and playing them.

A loudspeaker near the microphone records its own cue, and a recogniser hears it as "Yeah". People speak while it
sounds, so nothing is cut off: the cues are pure tones, and only their narrow bands are taken out.
"""

from __future__ import annotations

import queue
import threading
from typing import Literal, TypeAlias

import numpy as np

from app.voice.errors import VoiceError
from app.voice.sound_system import SoundSystem
from app.voice.types import SAMPLE_RATE_HZ, Recording, Samples

CueKind: TypeAlias = Literal["begin", "end"]

CUE_RATE_HZ = 48_000
PITCH_HZ: dict[CueKind, float] = {"begin": 1200.0, "end": 900.0}

_CUE_S = 0.09
_CUE_LEVEL = 0.15
_HALF_BAND_HZ = 80.0
"""Half of what is taken out: a tone of 90 ms that swells and fades is some 45 Hz wide, and a loudspeaker adds to it."""

_EDGE_HZ = 15.0
_WITHIN_S = 6.0
"""How late a cue may sound: a sound server that was asleep takes two seconds."""

_LONGEST_PLAY_S = 5.0
_JOIN_S = 7.0


def cue_sound(kind: CueKind) -> Samples:
    """The tone at 48 kHz; it swells and fades, so that it neither clicks nor spreads over other pitches."""
    time_s = np.arange(round(_CUE_S * CUE_RATE_HZ)) / CUE_RATE_HZ
    return (_CUE_LEVEL * np.hanning(len(time_s)) * np.sin(2 * np.pi * PITCH_HZ[kind] * time_s)).astype(np.float32)


def without_cue(recording: Recording) -> Recording:
    """The recording without the pitches of the cues in its first seconds; takes some milliseconds.

    The cue of key-up sounds after the recording is complete; it can only be at the beginning of the next one.
    """
    whole = recording.samples
    if not len(whole):
        return recording
    first = whole[: round(_WITHIN_S * SAMPLE_RATE_HZ)]
    spectrum = np.fft.rfft(first)
    pitches = np.fft.rfftfreq(len(first), 1 / SAMPLE_RATE_HZ)
    for cue in PITCH_HZ.values():
        spectrum *= np.clip((np.abs(pitches - cue) - _HALF_BAND_HZ) / _EDGE_HZ, 0.0, 1.0)
    cleaned = np.fft.irfft(spectrum, len(first)).astype(np.float32)
    return Recording(np.concatenate((cleaned, whole[len(first) :])), recording.sample_rate_hz)


class CuePlayer:
    """Plays cues in a thread of its own: opening a loudspeaker may take long. All methods but `close` return at once.

    A cue that can't be played is left out; that there is no loudspeaker is said where something is to be spoken.
    """

    def __init__(self, sound: SoundSystem) -> None:
        self._sound = sound
        self._cues: queue.SimpleQueue[CueKind | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="greenroom-cue", daemon=True)
        self._thread.start()

    def play(self, kind: CueKind) -> None:
        """Plays a cue soon."""
        self._cues.put(kind)

    def close(self) -> None:
        """Ends the thread, after the cue that is being played."""
        self._cues.put(None)
        self._thread.join(_JOIN_S)

    def _run(self) -> None:
        while (kind := self._cues.get()) is not None:
            try:
                stream = self._sound.play(cue_sound(kind), CUE_RATE_HZ)
            except VoiceError:
                continue
            stream.wait(_LONGEST_PLAY_S)
            stream.close()

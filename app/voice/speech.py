"""Speaks results: pyttsx3 makes the sound, and we play it, all in one thread.

pyttsx3 could play by itself, but on Linux it can't be stopped before the sentence is over, and it needs `aplay`.
"""

from __future__ import annotations

import queue
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from app.voice import audio_file
from app.voice.errors import VoiceError
from app.voice.sound_system import SoundSystem
from app.voice.types import Recording

SpeechMode: TypeAlias = Literal["off", "errors", "all"]

NO_ENGINE = (
    "There is no speech engine on this machine, so nothing is spoken. On Debian and Ubuntu: sudo apt install espeak-ng."
)

_POLL_S = 0.02
_SLACK_S = 5.0
"""Sound servers may start two seconds late; a device that never plays must not hold the thread for ever."""
_SYNTHESIS_S = 4.0
_JOIN_S = 5.0
_ESPEAK = "espeak"
"""pyttsx3's name of the driver."""


@dataclass(frozen=True, slots=True)
class SpeechSettings:
    """How it speaks.

    Attributes:
        mode: Nothing, errors only, or everything that was done.
        voice: A voice's id (`SpeechOutput.voices`); an empty string takes the system's.
        rate_wpm: Words a minute.
        volume: Between 0 and 1.
    """

    mode: SpeechMode = "errors"
    voice: str = ""
    rate_wpm: int = 180
    volume: float = 1.0


class SpeechOutput:
    """Owns one thread and the speech engine, which is only ever touched there. Never raises into the program."""

    def __init__(
        self,
        sound: SoundSystem,
        settings: SpeechSettings | None = None,
        *,
        on_problem: Callable[[str], None] | None = None,
    ) -> None:
        """Starts the thread; the engine is made at the first thing to say.

        Args:
            sound: What to play on.
            settings: How to speak.
            on_problem: Called in the thread, with a sentence, when speaking turns out not to work here.
        """
        self._sound = sound
        self._settings = settings or SpeechSettings()
        self._on_problem = on_problem
        self._problem = ""
        self._engine: Any = None
        self._finished = threading.Event()
        self._queue: queue.SimpleQueue[tuple[int, str] | None] = queue.SimpleQueue()
        self._generation = 0
        self._waiting = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="greenroom-speech", daemon=True)
        self._thread.start()

    @property
    def problem(self) -> str:
        """Why the last thing could not be spoken, or an empty string."""
        return self._problem

    @property
    def is_speaking(self) -> bool:
        """Whether something is being spoken or waits for it."""
        with self._lock:
            return self._waiting > 0

    def configure(self, settings: SpeechSettings) -> None:
        """Speaks so from the next thing on."""
        self._settings = settings

    def say(self, text: str, *, is_error: bool = False) -> None:
        """Speaks after what is being spoken, if the mode wants it."""
        wanted = self._settings.mode == "all" or (self._settings.mode == "errors" and is_error)
        if not wanted or not text.strip():
            return
        with self._lock:
            self._waiting += 1
            self._queue.put((self._generation, text))

    def stop(self) -> bool:
        """Falls silent and forgets what waits, within 100 ms; returns whether there was anything to silence."""
        with self._lock:
            self._generation += 1
            return self._waiting > 0

    def close(self) -> None:
        """Falls silent and ends the thread."""
        self.stop()
        self._queue.put(None)
        self._thread.join(_JOIN_S)

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            generation, text = item
            if self._is_wanted(generation):
                self._attempt(generation, text)
            with self._lock:
                self._waiting -= 1
        self._engine = None

    def _is_wanted(self, generation: int) -> bool:
        with self._lock:
            return generation == self._generation

    def _attempt(self, generation: int, text: str) -> None:
        try:
            recording = self._synthesise(text)
            self._play(generation, recording)
        except VoiceError as error:
            self._tell(str(error))
        except Exception as error:  # noqa: BLE001 - engines raise what their system raises; speech is never vital
            self._tell(f"{NO_ENGINE} ({type(error).__name__})")
        else:
            self._problem = ""

    def _tell(self, problem: str) -> None:
        is_new = problem != self._problem
        self._problem = problem
        if is_new and self._on_problem is not None:
            self._on_problem(problem)

    def _synthesise(self, text: str) -> Recording:
        settings = self._settings
        if self._engine is None or str(self._engine) == _ESPEAK:
            # eSpeak's driver ends its loop after it has told of the end, and forgets what it was asked for meanwhile:
            # a rate, a volume, a text. A new one (some milliseconds) was asked for nothing by then.
            self._engine = _make_engine()
            self._engine.connect("finished-utterance", self._on_finished)
        self._finished.clear()
        if settings.voice:
            self._engine.setProperty("voice", settings.voice)
        self._engine.setProperty("rate", settings.rate_wpm)
        self._engine.setProperty("volume", settings.volume)
        with tempfile.TemporaryDirectory(prefix="greenroom-") as folder:
            file = Path(folder) / "speech.wav"
            self._engine.save_to_file(text, str(file))
            self._engine.runAndWait()
            # eSpeak works in a thread of its own, and the call above doesn't wait for it, whatever its name says.
            if str(self._engine) == _ESPEAK and not self._finished.wait(_SYNTHESIS_S):
                raise VoiceError("The speech engine doesn't answer, so nothing is spoken.")
            return audio_file.load(file)

    def _on_finished(self, *, completed: bool, **_details: object) -> None:
        # The end of a loop left over from the text before tells of an utterance that was not completed.
        if completed:
            self._finished.set()

    def _play(self, generation: int, recording: Recording) -> None:
        if not self._is_wanted(generation):
            return
        stream = self._sound.play(recording.samples, recording.sample_rate_hz)
        try:
            until = time.monotonic() + recording.duration_s + _SLACK_S
            while self._is_wanted(generation) and time.monotonic() < until and not stream.wait(_POLL_S):
                pass
        finally:
            stream.close()


def engine_voices() -> tuple[tuple[str, str], ...]:
    """Id and name of each voice of the speech engine. Takes some 50 ms; call it in no hurry.

    Raises:
        VoiceError: There is no speech engine.
    """
    try:
        return tuple((str(voice.id), str(voice.name)) for voice in _make_engine().getProperty("voices"))
    except Exception as error:
        raise VoiceError(NO_ENGINE) from error


def _make_engine() -> Any:
    import pyttsx3

    if sys.platform not in ("darwin", "win32"):
        from pyttsx3.drivers import espeak

        # It prints a line for each file it has made, and standard output belongs to `greenroom ask --json`.
        vars(espeak)["print"] = _print_nothing
    # Not `init`, which gives the same one again.
    return pyttsx3.Engine()


def _print_nothing(*_args: object) -> None:
    """Takes the place of `print` inside pyttsx3's driver."""

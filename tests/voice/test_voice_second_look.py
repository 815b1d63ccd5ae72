"""What can't be done is heard a second time; talk stays talk."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from pytestqt.qtbot import QtBot
from voice_kit import AUDIO, FakeSound, joined, recording, silence, tone, transcript

from app.qtbridge.listening import ListeningController
from app.voice.second_look import SecondLook
from app.voice.transcriber import Transcriber
from app.voice.types import HeardHypothesis, Recording, Transcript

WORDS = ("set the status to accepted", "undo that")


@dataclass
class Recogniser:
    """Stands for the model where a test has to say what it hears."""

    outcomes: list[Transcript]
    given: list[tuple[float, tuple[str, ...]]] = field(default_factory=list)

    def rehearse(self) -> None:
        pass

    def load(self) -> None:
        """Nothing to load."""

    def transcribe(self, recording: Recording, *, bias: tuple[str, ...] = ()) -> Transcript:
        self.given.append((recording.duration_s, bias))
        return self.outcomes.pop(0)

    def interrupt(self) -> None:
        """Nothing takes long."""

    def close(self) -> None:
        """Nothing to free."""


def understood(*texts: str) -> SecondLook:
    """A second look at a recogniser that hears these, one after the other; only "save" can be done."""
    heard = Recogniser([transcript(text, "speech" if text else "silent") for text in texts])
    return SecondLook(heard, lambda found: "save" in [each.text for each in found.hypotheses])


def test_what_can_be_done_is_heard_once() -> None:
    look = understood("save")
    assert look.transcribe(Recording(tone(1.0)), bias=WORDS).text == "save"


def test_what_can_not_be_done_is_heard_again_shifted_and_with_the_likely_words() -> None:
    heard = Recogniser(
        [transcript("safe"), Transcript("save", (HeardHypothesis("save", -0.1),), "en", "speech", 1.2, 2.0)]
    )
    found = SecondLook(heard, lambda found: "save" in [each.text for each in found.hypotheses]).transcribe(
        Recording(tone(1.0)), bias=WORDS
    )
    assert heard.given == [(1.0, ()), (1.25, WORDS)]
    assert (found.text, [each.text for each in found.hypotheses]) == ("save", ["save", "safe"])
    assert (found.transcribe_ms, found.duration_s) == (3.0, 1.0)


def test_talk_is_not_bent_towards_commands() -> None:
    found = understood("the weather is nice", "set the weather to nice").transcribe(Recording(tone(1.0)), bias=WORDS)
    assert [each.text for each in found.hypotheses] == ["the weather is nice"]
    assert found.transcribe_ms == 2.0


@pytest.mark.parametrize(
    ("seconds", "bias", "text"),
    [(1.0, (), "safe"), (9.0, WORDS, "safe"), (1.0, WORDS, "")],
    ids=["a partial one", "dictation", "nobody spoke"],
)
def test_there_is_no_second_time(seconds: float, bias: tuple[str, ...], text: str) -> None:
    assert understood(text).transcribe(Recording(tone(seconds)), bias=bias).text == text


class Expects:
    """A screen on which only "save" can be done."""

    def look(self) -> tuple[str, ...]:
        return WORDS

    def understands(self, found: Transcript) -> bool:
        return found.text == "save"

    def is_clear(self, found: Transcript) -> bool:
        return found.text == "save"


def test_a_partial_transcript_that_can_not_be_done_is_not_the_final_one(qtbot: QtBot) -> None:
    heard = Recogniser([transcript("safe"), transcript("save")])
    sound = FakeSound()
    controller = ListeningController(sound, lambda: heard, expectation=Expects())
    controller.warm_up()
    stream = sound.wait_open()
    controller.press()
    with qtbot.waitSignal(controller.partial_heard):
        stream.deliver(tone(0.5, 48_000))
    with qtbot.waitSignal(controller.utterance_transcribed) as told:
        controller.release()
        stream.deliver(silence(3.0))
    assert told.args is not None
    assert told.args[0].text == "save"
    assert [bias for _, bias in heard.given] == [(), WORDS]
    controller.shutdown()


def test_the_screen_s_words_are_asked_for_when_a_file_is_heard(qtbot: QtBot) -> None:
    heard = Recogniser([transcript("save")])
    controller = ListeningController(FakeSound(), lambda: heard, expectation=Expects())
    with qtbot.waitSignal(controller.utterance_transcribed):
        controller.feed_file(AUDIO / "save-joe.flac")
    assert [bias for _, bias in heard.given] == [WORDS]
    controller.shutdown()


@pytest.mark.speech
def test_a_real_second_look_adds_readings(transcriber: Transcriber) -> None:
    spoken = joined(silence(0.2), recording("accept-and-save-joe"), silence(0.2))
    once = transcriber.transcribe(spoken)
    twice = SecondLook(transcriber, lambda _found: False).transcribe(spoken, bias=WORDS)
    assert twice.hypotheses == once.hypotheses, "nothing could be done with either"
    either = SecondLook(transcriber, lambda found: len(found.hypotheses) > len(once.hypotheses))
    assert len(either.transcribe(spoken, bias=WORDS).hypotheses) > len(once.hypotheses)

"""`greenroom replay FOLDER`: hears and understands kept utterances again, and reports what has changed."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.agent.json_types import Json
from app.agent.snapshot import Snapshot
from app.desk.expecting import ScreenExpectation
from app.desk.recogniser import hearing_twice, recogniser_of
from app.desk.replay import Replayed, Unreadable, Verdict, counted, replay
from app.desk.utterance_record import KeptCall, UtteranceRecord, snapshot_from_json
from app.settings import SettingsFile, VoiceSettings
from app.voice.errors import VoiceError
from app.voice.types import Recording, Transcript
from app.voice.utterance_folder import UtteranceFolder
from app.voice.worker import Recogniser

AS_GOOD, WRONG_USAGE, DIFFERENT, WORSE = 0, 2, 3, 4
"""Exit statuses: nothing is worse or unclear; no utterances, or some unreadable; some differ; some are worse."""


def run_replay(folder: Path, *, as_json: bool) -> int:
    """Prints what has changed since the utterances of a folder were kept; returns the exit status."""
    kept = UtteranceFolder(folder)
    names = kept.names()
    if not names:
        print(f"There are no utterances in {folder}. The setting voice.keep_utterances keeps them.", file=sys.stderr)
        return WRONG_USAGE
    replayed: list[Replayed] = []
    unreadable = 0
    ear = _Ear(SettingsFile().load().settings.voice)
    try:
        for each in replay(kept, ear.hear):
            if isinstance(each, Unreadable):
                unreadable += 1
                print(f"{each.name}: {each.reason}", file=sys.stderr)
                continue
            replayed.append(each)
            _print(each, as_json=as_json)
    except VoiceError as error:
        print(str(error), file=sys.stderr)
        return WRONG_USAGE
    finally:
        ear.close()
    counts = counted(replayed)
    if not as_json:
        right = sum(each.right is True for each in replayed)
        known = sum(each.expected.wanted is not None for each in replayed)
        print(f"{len(replayed)} utterances: " + ", ".join(f"{number} {verdict}" for verdict, number in counts.items()))
        print(f"{right} of the {known} whose meaning is known are understood now.")
    return _status(counts, unreadable)


class _Ear:
    """Hears recordings as the window does, on the screens that were kept; each language has its own recogniser."""

    def __init__(self, settings: VoiceSettings) -> None:
        self._settings = settings
        self._screen: Snapshot | None = None
        self._expectation = ScreenExpectation(lambda: self._screen, lambda: True)
        self._recognisers: dict[str, Recogniser] = {}

    def hear(self, recording: Recording, record: UtteranceRecord) -> Transcript:
        self._screen = snapshot_from_json(record.snapshot)
        self._expectation.look()
        if record.language not in self._recognisers:
            first = recogniser_of(self._settings.model_copy(update={"language": record.language}))()
            self._recognisers[record.language] = hearing_twice(first, self._expectation)
        return self._recognisers[record.language].transcribe(recording, bias=record.bias)

    def close(self) -> None:
        for recogniser in self._recognisers.values():
            recogniser.close()


def _status(counts: Mapping[Verdict, int], unreadable: int) -> int:
    if counts["worse"]:
        return WORSE
    if counts["different"]:
        return DIFFERENT
    return WRONG_USAGE if unreadable else AS_GOOD


def _print(replayed: Replayed, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(_as_json(replayed), ensure_ascii=False), flush=True)
        return
    wrong = " and still not what was meant" if replayed.verdict == "same" and replayed.right is False else ""
    print(f"{replayed.verdict:9}  {replayed.heard_then}{wrong}", flush=True)
    if replayed.heard_now != replayed.heard_then:
        print(f"           heard now: {replayed.heard_now or 'nothing'}")
    if replayed.verdict != "same":
        print(f"           then: {_words(replayed.calls_then)}")
        print(f"           now:  {_words(replayed.calls_now)}")
    if replayed.right is False and replayed.expected.wanted is not None:
        print(f"           meant: {_words(replayed.expected.wanted)} ({replayed.expected.evidence})")


def _words(calls: Sequence[KeptCall]) -> str:
    return "; ".join(str(call) for call in calls) or "nothing proposed"


def _as_json(replayed: Replayed) -> dict[str, Json]:
    wanted = replayed.expected.wanted
    return {
        "name": replayed.name,
        "verdict": replayed.verdict,
        "heard": {"then": replayed.heard_then, "now": replayed.heard_now},
        "then": [call.model_dump(mode="json") for call in replayed.calls_then],
        "now": [call.model_dump(mode="json") for call in replayed.calls_now],
        "meant": None if wanted is None else [call.model_dump(mode="json") for call in wanted],
        "evidence": replayed.expected.evidence,
        "right": replayed.right,
    }

"""A person speaks, approves, edits, rejects and says it again; what was kept of it is run again, headless."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from journey_kit import Person
from typer.testing import CliRunner

from app.agent.events import CallProposed
from app.agent.guards import is_secret_name
from app.desk.command_line import application
from app.desk.replay import Replayed, Unreadable, replay
from app.desk.replay_command import run_replay
from app.desk.utterance_keeping import UtteranceKeeping
from app.desk.utterance_record import UtteranceRecord, snapshot_from_json, snapshot_to_json
from app.settings import Settings, SettingsFile, VoiceSettings
from app.voice.models import find_model
from app.voice.transcriber import Transcriber
from app.voice.types import Recording, Transcript
from app.voice.utterance_folder import UtteranceFolder

pytestmark = pytest.mark.speech


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "kept"


@pytest.fixture(autouse=True)
def settings(own_folders: None, folder: Path) -> None:
    """What is said is kept; and nothing is spoken, since that isn't the matter here."""
    assert own_folders is None
    SettingsFile().save(Settings(voice=VoiceSettings(speech="off", keep_utterances=str(folder))))


@pytest.fixture
def keeping(person: Person) -> UtteranceKeeping:
    """What keeps it: closed, everything is written."""
    return person.desk.keeping


@pytest.fixture(scope="module")
def ear() -> Iterator[Transcriber]:
    transcriber = Transcriber(find_model(), cpu_threads=2)
    yield transcriber
    transcriber.close()


def records(folder: Path) -> list[UtteranceRecord]:
    kept = UtteranceFolder(folder)
    return [UtteranceRecord.model_validate_json(kept.record(name)) for name in kept.names()]


def approves(person: Person, count: int, runs: int = 1) -> None:
    """Approves so many actions, and waits for the end of that many runs."""
    for proposal in person.sees_proposals(count):
        person.approves(proposal)
    person.sees_the_end(runs)


def rewrite(folder: Path, record: UtteranceRecord) -> None:
    """Changes what was kept: as if an older program had kept it."""
    (folder / f"{record.name}.json").write_text(record.model_dump_json(), encoding="utf-8")


def run(folder: Path, ear: Transcriber) -> list[Replayed]:
    def hear(recording: Recording, record: UtteranceRecord) -> Transcript:
        return ear.transcribe(recording, bias=record.bias)

    replayed = list(replay(UtteranceFolder(folder), hear))
    assert not [each for each in replayed if isinstance(each, Unreadable)]
    return [each for each in replayed if isinstance(each, Replayed)]


def test_a_spoken_command_is_kept_whole_and_is_the_same_again(
    person: Person, keeping: UtteranceKeeping, folder: Path, ear: Transcriber, capsys: pytest.CaptureFixture[str]
) -> None:
    person.speaks("accept-and-save-joe.flac")
    approves(person, 2)
    keeping.close()

    record = records(folder)[0]
    assert "status" in record.text
    assert record.hypotheses[0][0] == record.text
    assert len(record.hypotheses) > 1
    assert (record.source, record.page, record.outcome, record.backend) == (
        "voice",
        "Contributions",
        "finished",
        "commands",
    )
    assert [str(each.last) for each in record.proposals] == ["choose Status Accepted", "click Save"]
    assert {(each.decided, each.status) for each in record.proposals} == {("approve", "done")}
    sound = UtteranceFolder(folder).recording(record.name)
    assert sound is not None
    assert sound.duration_s == pytest.approx(2.2, abs=0.5)

    replayed = run(folder, ear)
    assert [(each.verdict, each.right, each.expected.evidence) for each in replayed] == [("same", True, "approved")]
    # Not word for word: the program hears with the words of the screen once they are prepared, a replay always does.
    assert "accept" in replayed[0].heard_now
    assert run_replay(folder, as_json=False) == 0
    assert "1 utterances: 1 same, 0 better, 0 worse, 0 different" in capsys.readouterr().out


def test_what_two_recognisers_heard_is_heard_by_both_again(
    person: Person, keeping: UtteranceKeeping, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person.speaks("team-abstract-rms.flac")
    approves(person, 1)
    keeping.close()

    record = records(folder)[0]
    assert record.recognisers == 2
    assert run_replay(folder, as_json=True) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["heard"]["now"] == again["heard"]["then"] == record.text
    assert again["right"] is True


def test_an_edit_is_what_was_meant(person: Person, keeping: UtteranceKeeping, folder: Path, ear: Transcriber) -> None:
    person.types("set the title to voice control for everyone")
    proposal = person.sees_proposals(1)[0]
    person.desk.bridge.edit(proposal.id, {"value": "Voice control for all"})
    person.until(lambda: any(_edited(event) for event in person.events))
    person.approves(person.waiting()[0])
    person.sees_the_end()
    keeping.close()

    replayed = run(folder, ear)[0]
    assert (replayed.verdict, replayed.right, replayed.expected.evidence) == ("same", False, "edited")
    assert replayed.expected.wanted is not None
    assert replayed.expected.wanted[0].arguments == {"value": "Voice control for all"}


def _edited(event: object) -> bool:
    return isinstance(event, CallProposed) and event.proposal.arguments.get("value") == "Voice control for all"


def test_what_was_rejected_and_then_said_otherwise_is_expected_from_now_on(
    person: Person, keeping: UtteranceKeeping, folder: Path, ear: Transcriber
) -> None:
    person.types("set the status to rejected")
    person.rejects(person.sees_proposals(1)[0])
    person.sees_the_end()
    person.types("set the status to accepted")
    approves(person, 1, runs=2)
    keeping.close()

    first, second = run(folder, ear)
    assert (first.verdict, first.right, first.expected.evidence) == ("same", False, "said otherwise")
    assert first.expected.wanted == second.calls_then
    assert (second.verdict, second.right) == ("same", True)


def test_a_rejection_alone_says_what_was_not_meant(
    person: Person, keeping: UtteranceKeeping, folder: Path, ear: Transcriber
) -> None:
    person.types("set the title to voice control for everyone")
    person.rejects(person.sees_proposals(1)[0])
    person.sees_the_end()
    keeping.close()
    replayed = run(folder, ear)[0]
    assert (replayed.verdict, replayed.right, replayed.expected.evidence) == ("same", False, "rejected")

    # Had something else been proposed and rejected, what is proposed now is neither known to be right nor wrong.
    record = records(folder)[0]
    wrong = record.proposals[0].last.model_copy(update={"target": "Abstract"})
    proposal = record.proposals[0].model_copy(update={"first": wrong, "last": wrong})
    rewrite(folder, record.model_copy(update={"proposals": (proposal,)}))
    assert [(each.verdict, each.right) for each in run(folder, ear)] == [("different", None)]
    assert run_replay(folder, as_json=False) == 3


def test_better_and_worse(
    person: Person,
    keeping: UtteranceKeeping,
    folder: Path,
    ear: Transcriber,
) -> None:
    person.speaks("accept-and-save-joe.flac")
    approves(person, 2)
    keeping.close()

    # An older program had understood nothing, and the person had to say it again.
    record = records(folder)[0]
    before = {"id": "first", "at": record.at - timedelta(seconds=5), "outcome": "nothing_understood"}
    missed = record.model_copy(update={**before, "proposals": ()})
    rewrite(folder, missed)
    shutil.copy(folder / f"{record.name}.flac", folder / f"{missed.name}.flac")
    replayed = {each.name: each for each in run(folder, ear)}
    assert replayed[missed.name].verdict == "better"
    assert replayed[missed.name].expected.evidence == "said otherwise"
    assert replayed[record.name].verdict == "same"

    # Where the screen knows the words no more, nothing is understood.
    stored = {**record.snapshot, "tools": [], "instances": []}
    rewrite(folder, record.model_copy(update={"snapshot": stored}))
    result = CliRunner().invoke(application, ["replay", str(folder), "--json"])
    assert result.exit_code == 4
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    worse = next(line for line in lines if line["verdict"] == "worse")
    assert worse["now"] == []
    assert [each["target"] for each in worse["meant"]] == ["Status", "Save"]
    assert worse["evidence"] == "approved"


def test_an_answer_is_kept_and_heard_again(
    person: Person, keeping: UtteranceKeeping, folder: Path, ear: Transcriber
) -> None:
    person.types("set the status to accepted and save")
    person.sees_proposals(2)
    person.speaks("reject-second-joe.flac")
    person.until(lambda: len(person.waiting()) == 1)
    person.speaks("approve-joe.flac")
    person.sees_the_end()
    keeping.close()
    answers = [record.answer for record in records(folder) if record.answer]
    assert [(answer.kind, answer.positions, answer.waiting) for answer in answers] == [
        ("reject", (2,), (1, 2)),
        ("approve", (), (1,)),
    ]
    assert {each.verdict for each in run(folder, ear)} == {"same"}
    typed = next(record for record in records(folder) if record.source == "text")
    assert [(each.decided, each.status) for each in typed.proposals] == [("approve", "done"), ("reject", "rejected")]


def test_a_chain_that_opens_a_page_is_compared_on_the_page_where_it_was_said(
    person: Person, keeping: UtteranceKeeping, folder: Path, ear: Transcriber
) -> None:
    person.types("go to speakers and click new speaker")
    approves(person, 1)
    keeping.close()
    record = records(folder)[0]
    assert [(each.turn, each.first.tool) for each in record.proposals] == [(1, "navigate"), (2, "click")]
    assert [(each.verdict, each.right) for each in run(folder, ear)] == [("same", True)]


def test_what_a_model_answered_is_not_held_against_the_commands(
    person: Person, keeping: UtteranceKeeping, folder: Path, ear: Transcriber
) -> None:
    person.types("set the status to accepted")
    approves(person, 1)
    keeping.close()
    record = records(folder)[0]
    free = record.model_copy(
        update={"text": "they took it", "hypotheses": (("they took it", 0.0),), "backend": "openai"}
    )
    rewrite(folder, free)
    assert [each.verdict for each in run(folder, ear)] == ["same"]


def test_secrets_are_not_kept(person: Person, keeping: UtteranceKeeping, folder: Path) -> None:
    person.types("set the title to sk-abcdefgh12345678")
    person.sees_proposals(1)
    person.desk.bridge.cancel()
    person.sees_the_end()
    person.types("go to conferences")
    person.sees_the_end(runs=2)
    keeping.close()
    assert [record.text for record in records(folder)] == ["go to conferences"]
    assert not any(b"sk-abcdefgh" in path.read_bytes() for path in folder.iterdir())


def test_the_settings_page_keeps_no_value_of_its_key(person: Person, keeping: UtteranceKeeping, folder: Path) -> None:
    person.types("go to settings")
    person.sees_the_end()
    person.types("go to conferences")
    person.sees_the_end(runs=2)
    keeping.close()
    said_there = records(folder)[1]
    assert said_there.page == "Settings"
    snapshot = snapshot_from_json(said_there.snapshot)
    assert [view.label for view in snapshot.instances if is_secret_name(view.label) and "value" in view.state] == []
    assert "Push-to-talk key" in [view.label for view in snapshot.instances]


def test_a_screen_is_the_same_after_it_was_stored(person: Person) -> None:
    snapshot = person.desk.registry.snapshot()
    stored = json.loads(json.dumps(snapshot_to_json(snapshot)))
    again = snapshot_from_json(stored)
    assert len(again.instances) > 10
    assert snapshot_to_json(again) == snapshot_to_json(snapshot)
    assert {tool.name for tool in again.tools} == {tool.name for tool in snapshot.tools}
    for tool in snapshot.tools:
        assert [view.label for view in again.available(tool.name)] == [
            view.label for view in snapshot.available(tool.name)
        ]


def test_nothing_is_kept_unless_it_was_asked_for(person: Person, keeping: UtteranceKeeping, folder: Path) -> None:
    keeping.configure(VoiceSettings())
    person.types("go to conferences")
    person.sees_the_end()
    keeping.configure(VoiceSettings(keep_utterances=str(folder)))
    person.types("go to speakers")
    person.sees_the_end(runs=2)
    keeping.close()
    assert [record.text for record in records(folder)] == ["go to speakers"]


def test_writing_happens_in_a_thread_of_its_own(
    person: Person, keeping: UtteranceKeeping, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []
    real = UtteranceFolder.write

    def write(*arguments: object) -> None:
        threads.append(threading.current_thread().name)
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(UtteranceFolder, "write", write)
    person.types("go to conferences")
    person.sees_the_end()
    keeping.close()
    assert threads == ["greenroom-utterance-log"]
    assert len(records(folder)) == 1


def test_a_folder_without_utterances(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_replay(tmp_path, as_json=False) == 2
    assert "There are no utterances" in capsys.readouterr().err


def test_one_that_can_not_be_read_is_told_and_the_rest_runs(
    person: Person, keeping: UtteranceKeeping, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person.types("go to conferences")
    person.sees_the_end()
    keeping.close()
    (folder / "20200101-000000-000000-0123456789ab.json").write_text("{", encoding="utf-8")
    assert run_replay(folder, as_json=False) == 2
    told = capsys.readouterr()
    assert "20200101-000000-000000-0123456789ab: It can't be read" in told.err
    assert "1 same" in told.out

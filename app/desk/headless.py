"""`greenroom hear` and `greenroom ask`: the real window without a screen, fed as the microphone or the text box is."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication, QWidget

from app.agent.errors import ToolError
from app.agent.events import Event, StateChanged
from app.agent.messages import Utterance
from app.agent.proposal import Decision
from app.desk.assembly import Desk
from app.desk.gui import make_application
from app.desk.hearing import FileEar
from app.desk.options import DeskOptions
from app.desk.records import BACKEND_FAILED, BADNESS, UNDERSTOOD, WRONG_USAGE, Collector
from app.qtbridge.listening import NothingHeard
from app.store.errors import StoreError
from app.voice.recogniser_process import RecogniserProcess


@dataclass(frozen=True, slots=True)
class Options:
    """What `hear` and `ask` were told on the command line."""

    page: str
    sample_data: bool
    approve: bool
    json: bool
    screenshot: Path | None
    backend: str | None
    model: str | None
    base_url: str | None
    timeout_s: float | None

    def for_desk(self) -> DeskOptions:
        """The part that concerns the desk."""
        return DeskOptions(
            sample_data=self.sample_data,
            backend=self.backend,
            model=self.model,
            base_url=self.base_url,
            timeout_s=self.timeout_s,
            interactive=False,
        )


class InputRunner:
    """Runs utterances through a desk, one after the other, and collects what came of each.

    Args:
        on_waiting: What to do when the engine asks the person.
    """

    def __init__(self, desk: Desk, on_waiting: Callable[[Collector], None]) -> None:
        self._desk = desk
        self._on_waiting = on_waiting
        self._ended = QEventLoop()

    @contextmanager
    def collecting(self, collector: Collector) -> Iterator[None]:
        """Gives every event of the engine to the collector meanwhile."""

        def take(event: Event) -> None:
            collector.take(event)
            if isinstance(event, StateChanged) and event.state == "waiting":
                self._on_waiting(collector)
            if collector.ended:
                self._ended.quit()

        self._desk.bridge.happened.connect(take)
        try:
            yield
        finally:
            self._desk.bridge.happened.disconnect(take)

    def wait_for_the_end(self, collector: Collector) -> None:
        """Returns when the engine has come to an end with what was submitted."""
        if not collector.ended:
            self._ended.exec()

    def run(self, utterance: Utterance, collector: Collector) -> Collector:
        """Submits the utterance and returns when the engine has come to an end with it."""
        with self.collecting(collector):
            collector.start_clock()
            self._desk.bridge.submit(utterance)
            self.wait_for_the_end(collector)
        return collector


def ask_text(text: str, options: Options) -> int:
    """Runs one typed text; returns the exit status."""
    if not text.strip():
        print('Say what to do: greenroom ask "set the status to accepted"', file=sys.stderr)
        return WRONG_USAGE

    def inputs(desk: Desk, runner: InputRunner) -> Iterator[Collector]:
        utterance = desk.bridge.new_utterance(text.strip())
        yield runner.run(utterance, Collector(transcript=utterance.text, hypotheses=(utterance.text,)))

    return _run(options, inputs)


def hear_files(files: list[Path], options: Options) -> int:
    """Runs sound files, each afresh; returns the worst exit status."""

    def inputs(desk: Desk, runner: InputRunner) -> Iterator[Collector]:
        ear = FileEar(desk.voice.listening)
        for file in files:
            desk.start_afresh(options.page)
            yield hear_one(ear, runner, file)
        ear.close()

    recogniser = RecogniserProcess()
    recogniser.start()  # It gets ready while the window is made.
    return _run(options, inputs, recogniser)


def hear_one(ear: FileEar, runner: InputRunner, file: Path) -> Collector:
    """Hears one sound file. What was heard goes to the engine as from the microphone; returns when it has ended."""
    collector = Collector(file=str(file))
    started = time.monotonic()
    with runner.collecting(collector):
        heard = ear.hear(file)
        if isinstance(heard, str):
            collector.refuse(heard, WRONG_USAGE)
        elif isinstance(heard, NothingHeard):
            collector.nothing_heard(heard.sentence, (time.monotonic() - started) * 1000)
        else:
            collector.heard(heard)
            collector.start_clock()
            runner.wait_for_the_end(collector)
    return collector


def _run(
    options: Options,
    inputs: Callable[[Desk, InputRunner], Iterator[Collector]],
    recogniser: RecogniserProcess | None = None,
) -> int:
    make_application(offscreen=True)
    try:
        desk = Desk(options.for_desk(), recogniser=recogniser)
    except StoreError as error:
        if recogniser is not None:
            recogniser.close()
        print(str(error), file=sys.stderr)
        return BACKEND_FAILED
    try:
        return _run_on(desk, options, inputs)
    finally:
        desk.close()


def _run_on(desk: Desk, options: Options, inputs: Callable[[Desk, InputRunner], Iterator[Collector]]) -> int:
    for notice in desk.notices:
        print(notice, file=sys.stderr)
    desk.window.show()
    try:
        desk.start_afresh(options.page)
    except ToolError as error:
        print(str(error), file=sys.stderr)
        return WRONG_USAGE

    def decide(collector: Collector) -> None:
        waiting = [p for p in collector.proposals.values() if p.status == "waiting"]
        if not options.approve or collector.refusals() or not waiting:
            if waiting and not options.approve:
                collector.leave_open(len(waiting))
            desk.bridge.cancel()
            return
        for proposal in waiting:
            desk.bridge.decide(Decision(proposal.id, "approve", "cli"))

    worst = UNDERSTOOD
    for collector in inputs(desk, InputRunner(desk, decide)):
        _print(collector, desk, as_json=options.json)
        worst = max(worst, collector.exit_status(), key=BADNESS.index)
    if options.screenshot is not None and not take_picture(desk.window, options.screenshot):
        print(f"The picture could not be saved to {options.screenshot}.", file=sys.stderr)
        worst = WRONG_USAGE
    return worst


def take_picture(window: QWidget, file: Path) -> bool:
    """Saves the window as a person would see it, after what is due to be laid out was; False where it can't be."""
    QApplication.sendPostedEvents()
    QApplication.processEvents()
    return window.grab().save(str(file))


def _print(collector: Collector, desk: Desk, *, as_json: bool) -> None:
    if collector.error:
        print(collector.error, file=sys.stderr)
    if as_json:
        print(json.dumps(collector.as_json(desk.screen_state()), ensure_ascii=False), flush=True)
        return
    for line in collector.as_lines():
        print(line, flush=True)

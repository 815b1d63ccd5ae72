"""Where the settings say that traces go: to the database, to a collector where one is named, with texts or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from otlp_collector import Collector, values
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from app.agent.events import RunFinished, UtteranceReceived
from app.agent.messages import Utterance
from app.agent.tracing.otlp import target_from
from app.desk.tracing import Tracing
from app.settings import Settings, TracingSettings
from app.store.database import Database
from app.store.traces import Traces

WORDS = "set the title to Hello"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database.open(f"sqlite:///{tmp_path / 'records.db'}").database
    yield database
    database.close()


@pytest.fixture
def tracing(qapp: QCoreApplication, database: Database) -> Iterator[Tracing]:
    assert qapp is not None
    tracing = Tracing(database, Settings())
    yield tracing
    tracing.close()


def to(collector: Collector, *, payloads: bool = False) -> Settings:
    return Settings(tracing=TracingSettings(payloads=payloads, endpoint=collector.endpoint))


def run(tracing: Tracing, run_id: str) -> None:
    tracing.tracer.take(UtteranceReceived(run_id, Utterance(f"u-{run_id}", WORDS)))
    tracing.tracer.take(RunFinished(run_id, "finished", "Title is Hello."))


def test_by_default_a_run_is_kept_without_words_and_sent_nowhere(
    tracing: Tracing, database: Database, qtbot: QtBot
) -> None:
    with qtbot.assertNotEmitted(tracing.sent), qtbot.waitSignal(tracing.kept):
        run(tracing, "r1")
    ((root,),) = Traces(database).recent()
    assert WORDS not in str(dict(root.attributes))


def test_a_collector_named_in_the_settings_gets_what_comes_after(tracing: Tracing, qtbot: QtBot) -> None:
    with Collector() as first, Collector() as second:
        with qtbot.waitSignal(tracing.kept):
            run(tracing, "r1")
        tracing.configure(to(first))
        with qtbot.waitSignal(tracing.sent) as sent:
            run(tracing, "r2")
        assert sent.args == [""]
        assert WORDS not in str(values(first.spans()[0].attributes))
        tracing.configure(to(second, payloads=True))
        with qtbot.waitSignal(tracing.sent):
            run(tracing, "r3")
        assert len(first.spans()) == 1
        assert WORDS in str(values(second.spans()[0].attributes))
        tracing.configure(Settings())
        with qtbot.assertNotEmitted(tracing.sent), qtbot.waitSignal(tracing.kept):
            run(tracing, "r4")


def test_a_collector_that_refuses_is_told_each_time_until_it_takes_them(tracing: Tracing, qtbot: QtBot) -> None:
    with Collector(status=400) as collector:
        tracing.configure(to(collector))
        for run_id in ("r1", "r2"):
            with qtbot.waitSignal(tracing.sent) as sent:
                run(tracing, run_id)
            assert sent.args == ["the server did not take them."]
        collector.status = 200
        with qtbot.waitSignal(tracing.sent) as sent:
            run(tracing, "r3")
        assert sent.args == [""]


def test_the_environment_stands_above_the_settings_and_its_headers_go_along() -> None:
    headers = {"OTEL_EXPORTER_OTLP_HEADERS": "Authorization=Basic%20YTpi"}
    named = target_from({**headers, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://a:4318"}, "http://b:4318")
    assert named is not None
    assert named.url == "http://a:4318/v1/traces"
    own = target_from(headers, "http://b:4318")
    assert own is not None
    assert (own.url, dict(own.headers)) == ("http://b:4318/v1/traces", {"Authorization": "Basic YTpi"})
    assert target_from(headers, "") is None

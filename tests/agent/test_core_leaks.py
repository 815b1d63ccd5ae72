"""The registry keeps nothing alive, and grows with nothing that has gone."""

from __future__ import annotations

import gc
import sys
import threading
import tracemalloc
import weakref

import pytest
from core_screen import Button, Field, Pages
from PySide6.QtCore import QObject

from app.agent.registry import Registry
from app.agent.tools import ai_tool


def test_an_object_is_freed_at_once() -> None:
    registry = Registry()
    field = Field()
    registry.register_instance(field, label="Title", state=field.state, available=field.why_not)
    snapshot = registry.snapshot()
    gone = weakref.ref(field)
    del field
    assert gone() is None  # By counting references alone: no cycle of ours holds it.
    assert len(snapshot.instances) == 1
    assert registry.snapshot().instances == ()


def test_a_call_and_its_result_hold_nothing() -> None:
    registry = Registry()
    field = Field()
    registry.register_instance(field, label="Title", state=field.state)
    call = registry.bind(registry.snapshot(), "fill", '{"value": "x"}')
    registry.preview(call)
    registry.invoke(call)
    gone = weakref.ref(field)
    del field
    assert gone() is None


def test_a_handle_and_a_reader_of_another_object_hold_nothing() -> None:
    registry = Registry()
    button, reader = Button(), Field()
    handle = registry.register_instance(button, label="Save", state=reader.state, available=reader.why_not)
    registry.snapshot()
    gone = weakref.ref(reader)
    del reader
    assert gone() is None
    handle.touch()
    (view,) = registry.snapshot().instances
    assert not view.available
    assert view.reason


def test_the_object_that_knows_the_screen_is_not_held() -> None:
    desk = Pages("One")
    registry = Registry(screen=desk.state)
    assert registry.snapshot().screen == {"pages": ("One",)}
    gone = weakref.ref(desk)
    del desk
    assert gone() is None
    assert registry.snapshot().screen == {}


def test_the_registry_is_freed_too() -> None:
    registry = Registry()
    fields = [Field() for _ in range(10)]
    for field in fields:
        registry.register_instance(field, label="Row", state=field.state)
    registry.snapshot()
    gone = weakref.ref(registry)
    del registry
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("dispose", [True, False], ids=["disposed", "dropped"])
def test_no_growth(dispose: bool) -> None:
    registry = Registry()

    def churn(count: int) -> None:
        for number in range(count):
            field, pages = Field(), Pages("One")
            handles = [
                registry.register_instance(field, label="Title", state=field.state, available=field.why_not),
                registry.register_instance(pages, label="Window", state=pages.state),
            ]
            if number % 50 == 0:
                registry.snapshot()
            if dispose:
                for handle in handles:
                    handle.dispose()

    churn(200)
    gc.collect()
    blocks = sys.getallocatedblocks()
    tracemalloc.start()
    try:
        churn(4_000)
        snapshot = registry.snapshot()
        gc.collect()
        grown, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert snapshot.instances == ()
    assert snapshot.tools == ()
    assert grown < 64 * 1024
    assert sys.getallocatedblocks() - blocks < 2000


def test_freed_in_another_thread() -> None:
    registry = Registry()
    fields = [Field() for _ in range(100)]
    for field in fields:
        registry.register_instance(field, label="Row", state=field.state)
    del field
    registry.snapshot()
    thread = threading.Thread(target=fields.clear)
    thread.start()
    thread.join()
    assert registry.snapshot().instances == ()


class Thing(QObject):
    @ai_tool
    def do(self) -> None:
        """Does it."""

    def state(self) -> dict[str, str]:
        return {"value": self.objectName()}


def test_objects_of_qt() -> None:
    registry = Registry()
    for _ in range(1000):
        thing = Thing()
        registry.register_instance(thing, label="Thing", state=thing.state)
        registry.snapshot()
    gone = weakref.ref(thing)
    del thing
    assert gone() is None
    assert registry.snapshot().instances == ()

"""Wire names never collapse; handles are short, unique on the screen and stable."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.naming import HandlePool, slug, wire_name, words_of
from app.agent.registry import Registry
from app.agent.tools import ai_tool

WIRE = re.compile(r"[A-Za-z0-9_-]{1,64}")


@pytest.mark.parametrize("name", ["save", "Form_save", "a-b", "A" * 64, "0"])
def test_a_name_that_fits_stays(name: str) -> None:
    assert wire_name(name) == name


@pytest.mark.parametrize(
    "names",
    [
        ["read-file", "read_file", "read.file", "read file", "read/file", "readfile"],
        ["A" * 64, "A" * 65, "A" * 66, "A" * 64 + "B"],
        ["öffnen", "offnen", "o\u0308ffnen", "öffnen "],
        ["сохранить", "удалить", "save", "sаve"],
        ["保存", "削除", "\u202esave", "save\u200b", "save\x00", "SAVE", "Save", "ſave", "ﬁle", "file"],
        ["\ud800", "\ud801"],
    ],
)
def test_names_that_look_alike_stay_apart(names: list[str]) -> None:
    assert len({wire_name(name) for name in names}) == len(names)


@given(st.text(min_size=1), st.text(min_size=1))
def test_different_names_have_different_wire_names(one: str, other: str) -> None:
    assert WIRE.fullmatch(wire_name(one))
    assert (wire_name(one) == wire_name(other)) == (one == other)


@given(st.text(min_size=1))
def test_the_wire_name_of_one_is_not_the_name_of_another(name: str) -> None:
    cleaned = wire_name(name)
    assert wire_name(cleaned) != cleaned or cleaned == name


def test_an_empty_name() -> None:
    with pytest.raises(ValueError, match="empty"):
        wire_name("")


def test_a_class_with_accents_and_a_long_name() -> None:
    class Überschrift:
        @ai_tool
        def öffnen(self) -> None:
            """Opens it."""

        @ai_tool
        def a_method_whose_name_is_so_long_that_it_does_not_fit_into_what_a_server_takes(self) -> None:
            """Is long."""

    registry = Registry()
    obj = Überschrift()
    registry.register_instance(obj, label="It")
    names = [tool.name for tool in registry.snapshot().tools]
    assert all(WIRE.fullmatch(name) for name in names)
    assert names[0].startswith("Uberschrift_offnen_")
    assert len(names[1]) == 64


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Title", "title"),
        ("Call for papers closes on", "call_for_papers_closes_on"),
        ("  Save  as… ", "save_as"),
        ("Prénom", "prenom"),
        ("保存", "item"),
        ("", "item"),
        ("💾", "item"),
        ("\u202eevas", "evas"),
        ("ＦＵＬＬ width", "full_width"),
        ("A" * 100, "a" * 32),
        ("Save\n\x00\x1b[31m", "save_31m"),
    ],
)
def test_handles_are_readable(label: str, expected: str) -> None:
    assert slug(label) == expected


def test_handles_are_unique() -> None:
    pool = HandlePool()
    assert [pool.take(label) for label in ("Save", "save", "Save 2", "SAVE", "Title")] == [
        "save",
        "save_2",
        "save_2_2",
        "save_3",
        "title",
    ]


def test_a_handle_does_not_move_to_a_neighbour() -> None:
    pool = HandlePool()
    first, second = pool.take("Save"), pool.take("Save")
    pool.give_back(first)
    assert pool.take("Save") == "save_3"
    pool.give_back(second)
    pool.give_back("save_3")
    assert pool.take("Save") == "save"


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(["Save", "save 2", "Save 2 2", "", "保存", "Item"]))))
def test_handles_stay_unique_whatever_comes_and_goes(steps: list[tuple[bool, str]]) -> None:
    pool = HandlePool()
    living: list[str] = []
    for gone, label in steps:
        if gone and living:
            pool.give_back(living.pop(0))
        else:
            handle = pool.take(label)
            assert handle not in living
            living.append(handle)


def test_words() -> None:
    assert words_of("open_item") == "Open item"
    assert words_of("undo") == "Undo"

"""The sentences given to the recogniser come from what can be done on the screen now."""

from __future__ import annotations

from app.agent.snapshot import InstanceView, Snapshot
from app.qtbridge.screen_words import screen_words


def view(handle: str, label: str, tool: str, available: bool = True, **state: object) -> InstanceView:
    return InstanceView(
        f"guid-{handle}",
        handle,
        label,
        "widget",
        tools=(tool,),
        available=available,
        state=dict(state),  # type: ignore[arg-type]
    )


def test_sentences_of_a_screen() -> None:
    snapshot = Snapshot(
        1,
        instances=(
            view("title", "Title", "fill", value="Whisper"),
            view("status", "Status", "choose", value="Draft"),
            view("save", "Save", "click"),
            view("discard", "Discard changes", "click"),
            view("delete", "Delete", "click", available=False),
            view("list", "Contributions", "open_item", items=["Agents that ask first"]),
        ),
        screen={"page": "Contributions", "pages": ["Contributions", "Speakers"]},
    )
    assert screen_words(snapshot) == (
        "undo that",
        "click save",
        "discard changes",
        "set the title to",
        "set the status to draft",
        "Agents that ask first",
        "go to speakers",
    )


def test_an_empty_screen() -> None:
    assert screen_words(Snapshot(0)) == ("undo that",)

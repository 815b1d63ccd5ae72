"""The tools of the program itself."""

from __future__ import annotations

import pytest
from desk_calls import Desk

from app.agent.errors import ArgumentsError, ToolError
from app.pages.app_tools import AppTools


class Step:
    """A change of nothing."""

    text = "Title to Hello"

    def __init__(self) -> None:
        self.done = True

    def undo(self) -> None:
        self.done = False

    def redo(self) -> None:
        self.done = True


@pytest.fixture
def opened() -> list[str]:
    return []


@pytest.fixture
def tools(desk: Desk, opened: list[str]) -> AppTools:
    tools = AppTools(
        pages=lambda: ["Contributions", "Speakers"],
        open_page=opened.append,
        undo=desk.undo,
        help_text=lambda: "Say “save”.",
        show_numbers=lambda: 7,
    )
    desk.registry.register_instance(tools, label="Greenroom", state=tools.state)
    return tools


def test_all_of_them_run_without_asking(desk: Desk, tools: AppTools) -> None:
    assert tools is not None
    offered = {tool.name: tool.policy for tool in desk.registry.snapshot().tools}
    assert offered == dict.fromkeys(("navigate", "undo", "redo", "help", "show_numbers"), "auto")


def test_navigate(desk: Desk, tools: AppTools, opened: list[str]) -> None:
    assert tools is not None
    assert desk.preview("navigate", "Greenroom", page="speakers").effect == "Opens Speakers."
    assert desk.call("navigate", "Greenroom", page="speakers") == "Speakers is open."
    assert opened == ["Speakers"]
    with pytest.raises(ArgumentsError, match="Contributions, Speakers"):
        desk.call("navigate", "Greenroom", page="Nowhere")


def test_undo_and_redo(desk: Desk, tools: AppTools) -> None:
    assert tools is not None
    with pytest.raises(ToolError, match="nothing to undo"):
        desk.call("undo", "Greenroom")
    with pytest.raises(ToolError, match="nothing to redo"):
        desk.call("redo", "Greenroom")
    assert desk.preview("undo", "Greenroom").effect == "There is nothing to undo."
    step = Step()
    desk.undo.record(step)
    assert desk.preview("undo", "Greenroom").effect == "Takes back “Title to Hello”."
    assert desk.call("undo", "Greenroom") == "Undone: “Title to Hello”."
    assert not step.done
    assert desk.call("redo", "Greenroom") == "Done again: “Title to Hello”."
    assert step.done


def test_help_and_numbers(desk: Desk, tools: AppTools) -> None:
    assert tools is not None
    assert desk.call("help", "Greenroom") == "Say “save”."
    assert desk.call("show_numbers", "Greenroom") == "Say a number from 1 to 7."

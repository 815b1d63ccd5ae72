"""From what a recogniser wrote to proposals, on the screens of the real window, for bench_voice.py."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from app.agent.backends.base import TurnRequest
from app.agent.commands import CommandBackend
from app.agent.commands.answers import parse_answer
from app.agent.messages import AssistantMessage, Message, ToolMessage, UserMessage, Utterance
from app.agent.snapshot import Snapshot
from app.qtbridge.screen_words import screen_words

Action: TypeAlias = tuple[str, ...]
"""Tool, label of the target or page, and value, each in plain letters."""

_MOST_TURNS = 5
_SETTING = ("fill", "choose")


def real_screens() -> dict[str, Snapshot]:
    """Snapshots of every page of the window with the sample data, its first record selected."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"GREENROOM_DATA_DIR": folder, "GREENROOM_CONFIG_DIR": folder}
        from app.desk.assembly import Desk
        from app.desk.gui import make_application
        from app.desk.options import DeskOptions

        make_application(offscreen=True)
        desk = Desk(DeskOptions(sample_data=True, interactive=False))
        desk.window.show()  # What is not on the screen can't be asked for.
        screens = {}
        for page in desk.window.page_names:
            desk.start_afresh(page)
            screens[page] = desk.registry.snapshot()
        desk.close()
    return screens


class Proposer:
    """The command backend on those screens. A chain that opens a page goes on there, as it does in the window."""

    def __init__(self, screens: Mapping[str, Snapshot]) -> None:
        self._screens = screens
        self._backend = CommandBackend()
        self.words = {page: screen_words(screen) for page, screen in screens.items()}
        for screen in screens.values():
            self._backend.prepare(screen)

    def propose(self, page: str, utterance: Utterance) -> list[Action]:
        """What would be shown as cards, in order."""
        answer = parse_answer(utterance, ())
        if answer is not None:
            return [(answer.kind,)]
        screen = self._screens[page]
        messages: list[Message] = [UserMessage(utterance)]
        actions: list[Action] = []
        for _ in range(_MOST_TURNS):
            end = self._backend.answer(TurnRequest(tuple(messages), screen))
            if end.finish != "tool_calls":
                break
            messages.append(AssistantMessage(end.text, end.calls))
            for call in end.calls:
                arguments = json.loads(call.arguments)
                actions.append(_called(screen, call.name, arguments))
                messages.append(ToolMessage(call.id, call.name, "Done"))
                opened = arguments.get("page")
            if opened is None:
                break
            screen = self._screens[str(opened)]
        return actions


def expected(entries: Sequence[Mapping[str, Any]]) -> list[Action]:
    """The actions that a manifest asks for."""
    return [_action(entry["tool"], entry.get("target", ""), entry.get("value", entry.get("page"))) for entry in entries]


def _called(screen: Snapshot, tool: str, arguments: Mapping[str, Any]) -> Action:
    view = screen.tool(tool)
    handle = arguments.get("target", view.targets[0] if view is not None and view.targets else "")
    target = screen.instance(str(handle))
    return _action(tool, target.label if target is not None else "", arguments.get("value", arguments.get("page")))


def _action(tool: str, target: object, value: object) -> Action:
    if tool == "open_item":
        return (tool, _plain(value))
    if tool == "click":
        return (tool, _plain(target))
    if tool == "navigate":
        return (tool, _plain(value))
    if tool in (*_SETTING, "toggle"):
        return ("set" if tool in _SETTING else tool, _plain(target), _plain(value))
    return (tool,)


def _plain(value: object) -> str:
    text = re.sub(r"\s+", " ", re.sub(r"[^\w@.\-/ ]", " ", str(value))).strip(" .").casefold()
    number = re.fullmatch(r"(\d+)(?:\.0+)?(?: min(?:ute)?s?)?", text)
    return number[1] if number else text

"""Proposal cards: what they say, how they are decided and edited, by mouse and by key."""

from __future__ import annotations

from dataclasses import replace

import pytest
from panel_kit import SAVE, STATUS, Told, card_of, decide, finish, propose, say, send
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.agent.events import CallProposed, EditRefused
from app.agent.json_types import JsonObject
from app.agent.proposal import Decision, Place, Proposal
from app.panel import AssistantPanel
from app.panel.card import ProposalCard
from app.panel.card_words import change_of, confidence_words, shown, spoken, trust_words, verb_line
from app.panel.link_button import LinkButton

ENTER = Qt.Key.Key_Return


def button(card: ProposalCard, text: str) -> QPushButton:
    """A visible button of a card."""
    return next(found for found in card.findChildren(QPushButton) if found.text() == text and found.isVisible())


def labels(card: ProposalCard) -> str:
    """All that can be read on a card."""
    return card.accessibleName()


def test_a_card_reads_as_a_sentence(panel: AssistantPanel) -> None:
    propose(panel, STATUS)
    text = labels(card_of(panel, STATUS))
    assert (
        text == "Action 1: Choose Status, from Draft to Accepted. High confidence, 93 %. Asks first. Waiting for you."
    )


def test_a_card_names_the_record_it_is_about() -> None:
    about = replace(STATUS, place=Place("Contributions", "7", "Agents that ask first"))
    assert verb_line(about) == "Choose  ·  “Agents that ask first”"
    assert spoken(about).startswith("Action 1: Choose Status of “Agents that ask first”, from Draft")
    assert verb_line(replace(about, place=Place("Contributions", "7", "word " * 20))).endswith("…”")
    assert verb_line(STATUS) == "Choose"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "Yes"),
        (False, "No"),
        (45, "45"),
        (2.5, "2.5"),
        (["a", "b"], "a, b"),
        ({"due_date": "2026-05-03"}, "Due date: 2026-05-03"),
    ],
)
def test_values_are_written_as_people_write_them(value: object, text: str) -> None:
    assert shown(value) == text  # type: ignore[arg-type]


def test_an_empty_value_is_called_empty() -> None:
    assert change_of(replace(STATUS, before="", after="Draft"))[:2] == ("empty", "Draft")


def test_without_values_the_effect_is_told_and_without_that_the_arguments() -> None:
    assert change_of(SAVE).sentence == "Saves the changes."
    assert change_of(replace(SAVE, effect="", arguments={"page": "Speakers"})).sentence == "Page: Speakers"


@pytest.mark.parametrize(("confidence", "word"), [(0.3, "Low"), (0.6, "Medium"), (0.95, "High")])
def test_confidence_has_a_word_and_a_number(confidence: float, word: str) -> None:
    words = confidence_words(replace(STATUS, confidence=confidence))
    assert words == f"{word} confidence, {round(confidence * 100)} %"


def test_the_buttons_decide(panel: AssistantPanel, told: Told) -> None:
    propose(panel, STATUS, SAVE)
    QTest.mouseClick(button(card_of(panel, STATUS), "Approve"), Qt.MouseButton.LeftButton)
    QTest.mouseClick(button(card_of(panel, SAVE), "Reject"), Qt.MouseButton.LeftButton)
    assert told.decisions == [Decision("status-1", "approve"), Decision("save-1", "reject")]


@pytest.mark.parametrize(
    ("key", "kind"),
    [(ENTER, "approve"), (Qt.Key.Key_Enter, "approve"), (Qt.Key.Key_Delete, "reject"), (Qt.Key.Key_R, "reject")],
)
def test_keys_decide_on_the_focused_card(panel: AssistantPanel, told: Told, key: Qt.Key, kind: str) -> None:
    propose(panel, STATUS, SAVE)
    card = card_of(panel, SAVE)
    card.setFocus()
    QTest.keyClick(card, key)
    assert [(decision.proposal_id, decision.kind) for decision in told.decisions] == [("save-1", kind)]


def test_tab_leads_from_the_text_box_to_the_cards(panel: AssistantPanel) -> None:
    say(panel, "set the status to accepted and save")
    propose(panel, STATUS, SAVE)
    seen = []
    for _ in range(12):
        QTest.keyClick(panel.focusWidget(), Qt.Key.Key_Tab)
        seen.append(panel.focusWidget())
    order = [seen.index(card_of(panel, proposal)) for proposal in (STATUS, SAVE)]
    assert order == sorted(order)
    assert button(card_of(panel, STATUS), "Approve") in seen[order[0] : order[1]]


def test_a_new_card_does_not_take_the_keyboard(panel: AssistantPanel, told: Told) -> None:
    QTest.keyClicks(panel.input.box, "and then")
    propose(panel, STATUS)
    QTest.keyClick(panel.focusWidget(), ENTER)
    assert told.decisions == []
    assert told.of("text_submitted") == ["and then"]


def test_a_decided_card_can_not_be_decided_again(panel: AssistantPanel, told: Told) -> None:
    propose(panel, STATUS)
    decide(panel, STATUS, "approved")
    card = card_of(panel, STATUS)
    card.setFocus()
    QTest.keyClick(card, ENTER)
    QTest.keyClick(card, Qt.Key.Key_R)
    QTest.keyClick(card, Qt.Key.Key_E)
    assert told.decisions == []
    assert card.form is None
    assert not [found for found in card.findChildren(QPushButton) if found.isVisible()]


def test_the_card_follows_what_becomes_of_the_action(panel: AssistantPanel, qtbot: QtBot) -> None:
    propose(panel, STATUS, SAVE)
    status, save = card_of(panel, STATUS), card_of(panel, SAVE)
    height = status.height()
    decide(panel, STATUS, "approved")
    assert status.status_text == "Approved"
    propose(panel, replace(STATUS, status="running"))
    assert status.status_text == "Applying"
    finish(panel, STATUS, "Status is Accepted")
    assert status.status_text == "Status is Accepted"
    finish(panel, SAVE, error="Duration takes a number.")
    assert save.status_text == "Duration takes a number."
    qtbot.waitUntil(lambda: status.height() == height)


def test_a_rejected_card_says_so(panel: AssistantPanel) -> None:
    propose(panel, STATUS)
    decide(panel, STATUS, "rejected")
    assert card_of(panel, STATUS).status_text == "Rejected"


def test_a_refused_card_says_why_and_can_be_edited_but_not_approved(panel: AssistantPanel, told: Told) -> None:
    refused = replace(STATUS, status="refused", error="Done is not one of the choices.")
    propose(panel, refused)
    card = card_of(panel, refused)
    card.setFocus()
    QTest.keyClick(card, ENTER)
    assert told.decisions == []
    assert card.status_text == "Done is not one of the choices."
    QTest.keyClick(card, Qt.Key.Key_E)
    assert card.form is not None


def test_an_edit_is_sent_and_closes_when_it_is_accepted(panel: AssistantPanel, told: Told) -> None:
    propose(panel, STATUS)
    card = card_of(panel, STATUS)
    card.setFocus()
    QTest.keyClick(card, Qt.Key.Key_E)
    assert card.form is not None
    box = card.form.field("value")
    assert isinstance(box, QComboBox)
    assert [box.itemText(index) for index in range(box.count())] == ["Draft", "Submitted", "Accepted", "Rejected"]
    box.setCurrentText("Rejected")
    QTest.mouseClick(button(card, "Update"), Qt.MouseButton.LeftButton)
    assert told.of("edited") == [("status-1", {"value": "Rejected"})]
    send(panel, CallProposed("run", replace(STATUS, arguments={"value": "Rejected"}, after="Rejected")))
    assert card.form is None
    assert "from Draft to Rejected" in labels(card)


def test_a_refused_edit_keeps_what_was_typed(panel: AssistantPanel, told: Told) -> None:
    title = replace(STATUS, arguments={"value": "Old"}, parameters={"properties": {"value": {"type": "string"}}})
    propose(panel, title)
    card = card_of(panel, title)
    card.edit()
    assert card.form is not None
    field = card.form.field("value")
    assert isinstance(field, QLineEdit)
    field.setText("Berlin")
    QTest.keyClick(field, ENTER)
    send(panel, EditRefused("status-1", "A date is needed, such as 3 May 2026."))
    assert card.form is not None
    assert card.form.refusal == "A date is needed, such as 3 May 2026."
    assert field.text() == "Berlin"
    assert told.decisions == []


def test_another_state_of_the_action_does_not_close_an_open_edit(panel: AssistantPanel) -> None:
    propose(panel, STATUS)
    card = card_of(panel, STATUS)
    card.edit()
    form = card.form
    send(panel, CallProposed("run", replace(STATUS, before="Submitted")))
    assert card.form is form
    assert form is not None


def test_escape_closes_the_form_and_not_the_run(panel: AssistantPanel, told: Told) -> None:
    propose(panel, STATUS)
    card = card_of(panel, STATUS)
    card.edit()
    assert card.form is not None
    QTest.keyClick(card.form.field("value"), Qt.Key.Key_Escape)
    assert card.form is None
    assert told.of("cancel_requested") == []
    assert card.hasFocus()


def test_ctrl_enter_in_a_long_text_updates_and_approves_nothing(panel: AssistantPanel, told: Told) -> None:
    proposal = with_schema({"type": "string"}, "one\ntwo")
    propose(panel, proposal)
    card = card_of(panel, proposal)
    card.edit()
    assert card.form is not None
    field = card.form.field("value")
    QTest.keyClick(field, ENTER)
    assert told.log[1:] == []
    QTest.keyClick(field, ENTER, Qt.KeyboardModifier.ControlModifier)
    assert told.decisions == []
    assert told.of("edited") == [("status-1", {"value": "\none\ntwo"})]


def with_schema(schema: JsonObject, value: object) -> Proposal:
    """A proposal with one argument."""
    return replace(STATUS, arguments={"value": value}, parameters={"properties": {"value": schema}})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("schema", "value", "kind", "typed", "read"),
    [
        ({"type": "string"}, "a", QLineEdit, "b", "b"),
        ({"type": "string"}, "two\nlines", QPlainTextEdit, "b", "b"),
        ({"type": "integer"}, 30, QLineEdit, "45", 45),
        ({"type": "number"}, 1.5, QLineEdit, "2", 2.0),
        ({"type": "boolean"}, False, QCheckBox, True, True),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, 3, QLineEdit, "", None),
        ({"type": "array", "items": {"type": "string"}}, ["a"], QPlainTextEdit, "a\n\n b", ["a", "b"]),
        ({"$ref": "#/properties/other"}, "x", QLineEdit, "y", "y"),
        ({}, 7, QLineEdit, "8", 8),
        ({"type": "object"}, {"a": 1}, QLineEdit, '{"a": 2}', {"a": 2}),
    ],
)
def test_each_type_has_its_field(
    panel: AssistantPanel, told: Told, schema: JsonObject, value: object, kind: type, typed: object, read: object
) -> None:
    proposal = with_schema(schema, value)
    propose(panel, proposal)
    card = card_of(panel, proposal)
    card.edit()
    assert card.form is not None
    field = card.form.field("value")
    assert type(field) is kind
    if isinstance(field, QCheckBox):
        field.setChecked(bool(typed))
    elif isinstance(field, QPlainTextEdit):
        field.setPlainText(str(typed))
    elif isinstance(field, QLineEdit):
        field.setText(str(typed))
    card.form.submit()
    assert told.of("edited") == [("status-1", {"value": read})]


def test_a_word_for_a_number_is_refused_in_the_card(panel: AssistantPanel, told: Told) -> None:
    proposal = with_schema({"type": "integer"}, 30)
    propose(panel, proposal)
    card = card_of(panel, proposal)
    card.edit()
    assert card.form is not None
    field = card.form.field("value")
    assert isinstance(field, QLineEdit)
    field.setText("a lot")
    card.form.submit()
    assert told.of("edited") == []
    assert card.form.refusal == "Status takes a whole number."
    assert field.text() == "a lot"


def test_an_argument_that_was_left_out_stays_out(panel: AssistantPanel, told: Told) -> None:
    parameters: JsonObject = {"properties": {"value": {"type": "string"}, "note": {"type": "string"}}}
    proposal = replace(STATUS, arguments={"value": "a"}, parameters=parameters)
    propose(panel, proposal)
    card = card_of(panel, proposal)
    card.edit()
    assert card.form is not None
    card.form.submit()
    assert told.of("edited") == [("status-1", {"value": "a"})]


def test_a_card_without_arguments_can_not_be_edited(panel: AssistantPanel) -> None:
    propose(panel, SAVE)
    card = card_of(panel, SAVE)
    card.edit()
    assert card.form is None


def test_always_allow_is_offered_where_it_can_be_bound(panel: AssistantPanel, told: Told) -> None:
    grantable = replace(STATUS, grant="Contributions/Status")
    propose(panel, grantable, SAVE)
    for proposal in (grantable, SAVE):
        link = card_of(panel, proposal).findChildren(LinkButton)
        shown_links = [found for found in link if found.isVisible()]
        assert [found.text() for found in shown_links] == (["Always allow"] if proposal is grantable else [])
        card_of(panel, proposal).approve_always()
    assert told.decisions == [Decision("status-1", "approve", always=True)]


def test_what_can_not_be_undone_says_so() -> None:
    assert trust_words(replace(SAVE, irreversible=True)).endswith("%  ·  Can’t be undone")
    assert "Can’t be undone." in spoken(replace(SAVE, irreversible=True))


def test_a_second_space_does_not_decide_about_another_card(panel: AssistantPanel, told: Told) -> None:
    propose(panel, STATUS, SAVE)
    approve = button(card_of(panel, STATUS), "Approve")
    approve.setFocus()
    QTest.keyClick(approve, Qt.Key.Key_Space)
    decide(panel, STATUS, "approved")
    assert card_of(panel, STATUS).hasFocus()
    QTest.keyClick(panel.focusWidget(), Qt.Key.Key_Space)
    assert told.decisions == [Decision("status-1", "approve")]


def test_the_selected_card_names_its_target(panel: AssistantPanel, told: Told) -> None:
    propose(panel, STATUS, SAVE)
    assert told.of("proposal_selected") == ["guid-status"]
    QTest.mouseClick(card_of(panel, SAVE), Qt.MouseButton.LeftButton)
    assert told.of("proposal_selected") == ["guid-status", "guid-save"]
    finish(panel, SAVE, "Saved")
    finish(panel, STATUS, "Status is Accepted")
    assert told.of("proposal_selected") == ["guid-status", "guid-save", "guid-status", ""]


def test_every_part_of_a_card_has_a_name_for_a_screen_reader(panel: AssistantPanel) -> None:
    propose(panel, STATUS)
    card = card_of(panel, STATUS)
    assert button(card, "Approve").accessibleName() == "Approve action 1"
    assert button(card, "Reject").accessibleDescription() == "Choose Status"
    assert spoken(replace(SAVE, status="failed", error="The disk is full.")).endswith("The disk is full.")

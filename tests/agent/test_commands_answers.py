"""Answers to open questions, by word and by sound; nothing else may approve."""

from __future__ import annotations

import pytest

from app.agent.commands.answers import parse_answer
from app.agent.messages import Hypothesis, Utterance
from app.agent.proposal import Proposal

WAITING = [Proposal(f"p{n}", "run", f"c{n}", n, "fill", "Fill", f"g{n}", "Title", {}) for n in (1, 2, 3)]

ANSWERS: list[tuple[str, str, tuple[int, ...]]] = [
    ("approve", "approve", ()),
    ("Approved.", "approve", ()),
    ("Okay, approve.", "approve", ()),
    ("yes", "approve", ()),
    ("Yes please.", "approve", ()),
    ("go ahead", "approve", ()),
    ("approve all", "approve", ()),
    ("approve the first", "approve", (1,)),
    ("Approve the first and third.", "approve", (1, 3)),
    ("approve the first and the third action", "approve", (1, 3)),
    ("approve the first two", "approve", (1, 2)),
    ("approve number two", "approve", (2,)),
    ("approve 1 and 3", "approve", (1, 3)),
    ("approve the last one", "approve", (3,)),
    ("approve all but the second", "approve", (1, 3)),
    ("no", "reject", ()),
    ("Rejected.", "reject", ()),
    ("reject all", "reject", ()),
    ("reject the second action", "reject", (2,)),
    ("Reject the 2nd action.", "reject", (2,)),
    ("cancel", "cancel", ()),
    ("Never mind.", "cancel", ()),
]

BY_SOUND: list[tuple[str, str, tuple[int, ...]]] = [
    ("That's rude.", "approve", ()),
    ("A proof.", "approve", ()),
    ("Improve.", "approve", ()),
    ("Re-check.", "reject", ()),
    ("Reject the secondhand action.", "reject", (2,)),
]

OTHER = [
    "set the title to approve of everything",
    "undo that",
    "save",
    "the weather is lovely",
    "that's true",
    "do it again",
    "show me the conferences",
    "no, I meant the level",
    "approve of my new shoes",
    "",
]


@pytest.mark.parametrize(("said", "kind", "positions"), [*ANSWERS, *BY_SOUND])
def test_answer_while_something_waits(said: str, kind: str, positions: tuple[int, ...]) -> None:
    answer = parse_answer(Utterance("u", said, source="voice"), WAITING)
    assert answer is not None
    assert (answer.kind, answer.positions) == (kind, positions)


@pytest.mark.parametrize("said", OTHER)
def test_anything_else_is_no_answer(said: str) -> None:
    assert parse_answer(Utterance("u", said, source="voice"), WAITING) is None


@pytest.mark.parametrize("said", [*(said for said, _, _ in BY_SOUND), *OTHER, "yes", "Yeah", "no", "Okay.", "do it"])
def test_ordinary_words_are_no_answer_when_nothing_waits(said: str) -> None:
    assert parse_answer(Utterance("u", said, source="voice"), []) is None


@pytest.mark.parametrize("said", ["approve", "Approved.", "reject the second", "approve all", "cancel"])
def test_unmistakable_words_are_answers_even_when_nothing_waits(said: str) -> None:
    assert parse_answer(Utterance("u", said), []) is not None


@pytest.mark.parametrize(
    ("language", "said", "kind", "positions"),
    [
        ("de", "ja", "approve", ()),
        ("de", "Alle genehmigen.", "approve", ()),
        ("de", "genehmige die erste und die dritte", "approve", (1, 3)),
        ("de", "lehne die zweite Aktion ab", "reject", (2,)),
        ("de", "Abbrechen", "cancel", ()),
        ("es", "Sí.", "approve", ()),
        ("es", "aprueba la primera", "approve", (1,)),
        ("es", "rechaza la segunda acción", "reject", (2,)),
        ("es", "aprueba la última", "approve", (3,)),
        ("de", "genehmige nur die fünfte", "approve", (5,)),
        ("es", "cancelar", "cancel", ()),
    ],
)
def test_german_and_spanish_answers(language: str, said: str, kind: str, positions: tuple[int, ...]) -> None:
    answer = parse_answer(Utterance("u", said, language=language), WAITING)
    assert answer is not None
    assert (answer.kind, answer.positions) == (kind, positions)


def test_other_hypotheses_count() -> None:
    heard = (Hypothesis("A grove of trees.", -0.6), Hypothesis("Approve.", -0.7))
    answer = parse_answer(Utterance("u", heard[0].text, heard, "voice"), WAITING)
    assert answer is not None
    assert answer.kind == "approve"

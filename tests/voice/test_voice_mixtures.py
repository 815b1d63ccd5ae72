"""Two readings of one sentence, each right in a place of its own."""

from __future__ import annotations

import pytest

from app.voice.mixtures import mixtures

ONE = "Set the company to at me and the job title to engineer."


@pytest.mark.parametrize(
    ("one", "other", "mixed"),
    [
        (
            ONE,
            "Set the company to Acme and the Junk Title to Engineer.",
            {
                "Set the company to at me and the Junk title to engineer.",
                "Set the company to Acme and the job title to engineer.",
            },
        ),
        (
            "Open the stalk and safe.",
            "Open this talk and save.",
            {"Open the stalk and save.", "Open this talk and safe."},
        ),
    ],
)
def test_each_place_comes_from_either(one: str, other: str, mixed: set[str]) -> None:
    assert set(mixtures(one, other)) == mixed


@pytest.mark.parametrize(
    "other",
    [
        "",
        ONE,
        "set the COMPANY to at me and the job title to engineer",
        "Set the company to Acme and the job title to engineer.",
        "Get the Acme to at my and a job title for engineers.",
    ],
    ids=["nothing", "the same", "other capitals", "one place", "another sentence"],
)
def test_nothing_to_mix(other: str) -> None:
    assert mixtures(ONE, other) == []


def test_three_places_give_six() -> None:
    mixed = mixtures("a one b two c three d", "a uno b due c tre d")
    assert len(set(mixed)) == 6
    assert "a uno b two c tre d" in mixed

"""What a row of the Settings page is made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from app.agent.json_types import Json
from app.store.fields import Field

Listing = Callable[[], Sequence[tuple[str, str]]]
"""Gives what is to be had now, as (words to show, value to store); nothing where that can't be told. Never raises.

It may be slow: it is called in a thread of its own.
"""


@dataclass(frozen=True, slots=True)
class Listings:
    """What is on this machine.

    Attributes:
        microphones, models, voices: Names to store and to show.
    """

    microphones: Listing
    models: Listing
    voices: Listing

    def by_key(self) -> Mapping[str, Listing]:
        """By the key of the setting that chooses from them."""
        return {"voice.device": self.microphones, "voice.model": self.models, "voice.voice": self.voices}


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting.

    Attributes:
        section, name: Where it is in `Settings`.
        form_field: How it is shown.
        shown: For a choice: the words on screen, to the value stored.
        percent: Stored between 0 and 1, shown between 0 and 100.
        about: What is to be known of it, below it.
        absent, none_found: What is said where the value chosen is not on this machine; where nothing is.
        by_hand: Only changed with mouse and keyboard: what decides how much is asked, and where data is sent, must
            not be changed by something that was misheard, or by a text that gives orders.
    """

    section: str
    name: str
    form_field: Field
    shown: Mapping[str, Json] = field(default_factory=dict)
    percent: bool = False
    about: str = ""
    absent: str = ""
    none_found: str = ""
    by_hand: bool = False

    @property
    def key(self) -> str:
        """Section and name."""
        return f"{self.section}.{self.name}"

    def to_shown(self, value: Json) -> Json:
        """A stored value as it is shown."""
        if self.shown:
            return next((words for words, stored in self.shown.items() if stored == value), str(value))
        if self.percent:
            assert isinstance(value, (int, float))
            return round(value * 100)
        return value

    def to_stored(self, value: Json) -> Json:
        """A value shown, as it is stored."""
        if self.shown:
            return self.shown.get(str(value), value)
        if self.percent:
            assert isinstance(value, (int, float))
            return value / 100
        return value


def choice_row(
    section: str,
    name: str,
    label: str,
    shown: Mapping[str, Json],
    aliases: tuple[str, ...] = (),
    synonyms: Mapping[str, tuple[str, ...]] | None = None,
    *,
    by_hand: bool = False,
) -> SettingRow:
    """A choice: its words on screen, to the values stored."""
    described = Field(
        f"{section}.{name}",
        label,
        "choice",
        choices=tuple(shown),
        synonyms=synonyms or {},
        aliases=aliases,
        required=True,
    )
    return SettingRow(section, name, described, shown, by_hand=by_hand)


def number_row(
    section: str, name: str, label: str, unit: str, low: int, high: int, *, percent: bool = False
) -> SettingRow:
    """A whole number; with `percent`, stored as a part of one."""
    described = Field(f"{section}.{name}", label, "integer", unit=unit, minimum=low, maximum=high, required=True)
    return SettingRow(section, name, described, percent=percent)

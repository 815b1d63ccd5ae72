"""Which settings there are on the Settings page, how each is shown, and which of them voice may not touch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from app.agent.json_types import Json
from app.store.fields import Field

DEFAULT_DEVICE = "System default"
DEFAULT_VOICE = "Default voice"

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
        by_hand: Only changed with mouse and keyboard: what decides how much is asked, and where data is sent, must
            not be changed by something that was misheard, or by a text that gives orders.
    """

    section: str
    name: str
    form_field: Field
    shown: Mapping[str, Json] = field(default_factory=dict)
    percent: bool = False
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


def _choice(
    section: str,
    name: str,
    label: str,
    shown: Mapping[str, Json],
    aliases: tuple[str, ...] = (),
    synonyms: Mapping[str, tuple[str, ...]] | None = None,
    *,
    by_hand: bool = False,
) -> SettingRow:
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


def _number(
    section: str, name: str, label: str, unit: str, low: int, high: int, *, percent: bool = False
) -> SettingRow:
    described = Field(f"{section}.{name}", label, "integer", unit=unit, minimum=low, maximum=high, required=True)
    return SettingRow(section, name, described, percent=percent)


_KEYS = tuple(f"F{number}" for number in range(1, 13))

SECTIONS: Mapping[str, tuple[SettingRow, ...]] = {
    "Voice": (
        _choice("voice", "push_to_talk_key", "Push-to-talk key", dict(zip(_KEYS, _KEYS, strict=True)), ("talk key",)),
        _choice(
            "voice",
            "push_to_talk_mode",
            "Push-to-talk",
            {"Hold the key while speaking": "hold", "Press once to start, once to stop": "toggle"},
            synonyms={"Hold the key while speaking": ("hold",), "Press once to start, once to stop": ("toggle",)},
        ),
        _choice("voice", "device", "Microphone", {DEFAULT_DEVICE: ""}, ("input device",)),
        SettingRow(
            "voice",
            "keep_warm",
            Field("voice.keep_warm", "Keep the microphone ready", "boolean", aliases=("keep warm",)),
        ),
        _choice("voice", "model", "Speech model", {}, ("recogniser",)),
        _choice(
            "voice",
            "language",
            "Spoken language",
            {"English": "en", "German": "de", "Spanish": "es"},
            ("speech language",),
        ),
        _choice(
            "voice",
            "speech",
            "Say aloud",
            {"Nothing": "off", "Errors only": "errors", "All results": "all"},
            ("speech output", "speaking"),
            {"Nothing": ("off", "silence"), "Errors only": ("errors",), "All results": ("everything", "all", "on")},
        ),
        _choice("voice", "voice", "Voice", {DEFAULT_VOICE: ""}),
        _number("voice", "rate", "Speaking rate", "words a minute", 80, 400),
        _number("voice", "volume", "Volume", "%", 0, 100, percent=True),
    ),
    "Assistant": (
        _choice(
            "assistant",
            "backend",
            "Understanding",
            {"Commands, then the model": "routed", "Commands only": "commands", "Model only": "openai"},
            by_hand=True,
        ),
        SettingRow("assistant", "base_url", Field("assistant.base_url", "Server address", "url"), by_hand=True),
        SettingRow("assistant", "model", Field("assistant.model", "Model name"), by_hand=True),
    ),
    "Policies": (
        _choice(
            "policies",
            "ask",
            "Ask before",
            {
                "Everything": "everything",
                "What changes something": "changes",
                "What cannot be undone": "irreversible",
            },
            by_hand=True,
        ),
    ),
    "Data": (),
    "Appearance": (
        _choice(
            "appearance",
            "scheme",
            "Colours",
            {"As the system": "system", "Light": "light", "Dark": "dark", "High contrast": "high_contrast"},
            ("theme", "colour scheme", "appearance"),
        ),
        _choice(
            "appearance",
            "text_size",
            "Text size",
            {"Normal": "normal", "Large": "large", "Largest": "largest"},
            ("font size",),
        ),
    ),
}

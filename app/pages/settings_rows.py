"""Which settings there are on the Settings page, how each is shown, and which of them voice may not touch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.pages.setting_row import SettingRow, choice_row, number_row
from app.pages.spoken_language import DETECT, LANGUAGES
from app.store.fields import Field

DEFAULT_DEVICE = "System default"
DEFAULT_VOICE = "Default voice"

_KEYS = tuple(f"F{number}" for number in range(1, 13))

SECTIONS: Mapping[str, tuple[SettingRow, ...]] = {
    "Voice": (
        choice_row(
            "voice", "push_to_talk_key", "Push-to-talk key", dict(zip(_KEYS, _KEYS, strict=True)), ("talk key",)
        ),
        choice_row(
            "voice",
            "push_to_talk_mode",
            "Push-to-talk",
            {
                "Hold the key while speaking": "hold",
                "Press once to start, once to stop": "toggle",
                "Hold, or tap to start and tap to stop": "hold_or_tap",
            },
            synonyms={
                "Hold the key while speaking": ("hold",),
                "Press once to start, once to stop": ("toggle",),
                "Hold, or tap to start and tap to stop": ("hold or tap", "both"),
            },
        ),
        replace(
            choice_row("voice", "device", "Microphone", {DEFAULT_DEVICE: ""}, ("input device",)),
            absent="It is not connected. The system's default is used until it is.",
            none_found="No microphone was found. Connect one and look again.",
        ),
        SettingRow(
            "voice",
            "keep_warm",
            Field("voice.keep_warm", "Keep the microphone ready", "boolean", aliases=("keep warm",)),
        ),
        SettingRow(
            "voice",
            "cue",
            Field("voice.cue", "Tone when listening begins and ends", "boolean", aliases=("sound cue", "tone")),
        ),
        replace(
            choice_row("voice", "model", "Speech model", {}, ("recogniser",)),
            absent="It is not on this machine, so nothing can be heard. Get it below, or choose another one.",
        ),
        choice_row(
            "voice",
            "language",
            "Spoken language",
            LANGUAGES,
            ("speech language",),
            {"German": ("Deutsch",), "Spanish": ("Español",), DETECT: ("auto", "automatic", "detect it", "detected")},
        ),
        choice_row(
            "voice",
            "speech",
            "Say aloud",
            {"Nothing": "off", "Errors only": "errors", "All results": "all"},
            ("speech output", "speaking"),
            {"Nothing": ("off", "silence"), "Errors only": ("errors",), "All results": ("everything", "all", "on")},
        ),
        choice_row("voice", "voice", "Voice", {DEFAULT_VOICE: ""}),
        number_row("voice", "rate", "Speaking rate", "words a minute", 80, 400),
        number_row("voice", "volume", "Volume", "%", 0, 100, percent=True),
    ),
    "Assistant": (
        choice_row(
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
        choice_row(
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
    "Recent requests": (
        SettingRow(
            "tracing",
            "payloads",
            Field("tracing.payloads", "Keep their texts, too", "boolean"),
            about="What was said and written, but no passwords; else only steps and times.",
            by_hand=True,
        ),
        SettingRow(
            "tracing",
            "endpoint",
            Field("tracing.endpoint", "Send them to", "url"),
            about="A collector that takes OTLP over HTTP, such as Langfuse. Empty sends them nowhere.",
            by_hand=True,
        ),
    ),
    "Data": (),
    "Appearance": (
        choice_row(
            "appearance",
            "scheme",
            "Colours",
            {"As the system": "system", "Light": "light", "Dark": "dark", "High contrast": "high_contrast"},
            ("theme", "colour scheme", "appearance"),
        ),
        choice_row(
            "appearance",
            "text_size",
            "Text size",
            {"Normal": "normal", "Large": "large", "Largest": "largest"},
            ("font size",),
        ),
    ),
}

"""What can be set, with the defaults. Immutable: a change makes a new value (`model_copy(update=...)`)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.settings.choices import PUSH_TO_TALK_KEY, Scheme, TextSize

VERSION = 1
"""Raised when a setting changes its meaning, not when one is added."""


ANY_LANGUAGE = "auto"
"""The spoken language, where the speech model is to find out which it is."""


class _Section(BaseModel):
    # Keys of a newer version, or of an extension, are kept and written back.
    model_config = ConfigDict(extra="allow", frozen=True)


class VoiceSettings(_Section):
    """Hearing and speaking.

    Attributes:
        push_to_talk_key: Name of the key, as Qt writes it ("F9").
        push_to_talk_mode: `hold`: listens while the key is down; `toggle`: one press begins, the next ends;
            `hold_or_tap`: both on one key, told apart by how long it is down.
        device: Name of the microphone; empty for the system's default.
        model: Name of a speech model, or a path to its folder.
        language: ISO 639-1 code of the language spoken; `auto`: a multilingual speech model finds out.
        speech: What is said aloud: nothing, errors, or all results.
        voice: Id of the voice; empty for the engine's default.
        rate: Words a minute.
        volume: Between 0 and 1.
        keep_warm: Keeps the microphone open between presses, so that the first word is never lost.
        cue: Whether a tone tells that listening begins and ends; it is taken out of what is recorded.
        keep_utterances: Folder that keeps what was said, heard and done, for `greenroom replay`; empty keeps nothing.
    """

    push_to_talk_key: Annotated[str, Field(min_length=1)] = PUSH_TO_TALK_KEY
    push_to_talk_mode: Literal["hold", "toggle", "hold_or_tap"] = "hold"
    device: str = ""
    model: Annotated[str, Field(min_length=1)] = "tiny.en"
    language: Annotated[str, Field(pattern=r"^(auto|[a-z]{2,3})$")] = "en"
    speech: Literal["off", "errors", "all"] = "all"
    voice: str = ""
    rate: Annotated[int, Field(ge=80, le=400)] = 180
    volume: Annotated[float, Field(ge=0.0, le=1.0)] = 1.0
    keep_warm: bool = True
    cue: bool = False
    keep_utterances: str = ""


class AssistantSettings(_Section):
    """Who answers what the person says.

    Attributes:
        backend: `commands`: the grammar alone; `openai`: the model alone; `routed`: commands first, then the model.
        base_url: Address of an OpenAI-compatible server, with the version (`http://127.0.0.1:11434/v1`); empty for
            OpenAI's.
        model: Name of the model on that server; empty where none is chosen.
    """

    backend: Literal["commands", "openai", "routed"] = "routed"
    base_url: Annotated[str, Field(pattern=r"^$|^https?://[^\s/]+\S*$")] = ""
    model: str = ""


class PolicySettings(_Section):
    """How much is asked before something is done."""

    ask: Literal["everything", "changes", "irreversible"] = "changes"


class TracingSettings(_Section):
    """What is remembered of each request, besides its steps and their times.

    Attributes:
        payloads: Whether texts, arguments and results are in it; without secrets.
        endpoint: Address of a collector that takes it by OTLP over HTTP; empty sends it nowhere.
    """

    payloads: bool = False
    endpoint: Annotated[str, Field(pattern=r"^$|^https?://[^\s/]+\S*$")] = ""


class DataSettings(_Section):
    """Where the data is. An address that holds a password does not show it in `repr`."""

    database_url: Annotated[str, Field(repr=False)] = ""


class AppearanceSettings(_Section):
    """How it looks."""

    scheme: Scheme = "system"
    text_size: TextSize = "normal"


class Settings(_Section):
    """All settings."""

    version: Annotated[int, Field(ge=1)] = VERSION
    voice: VoiceSettings = VoiceSettings()
    assistant: AssistantSettings = AssistantSettings()
    policies: PolicySettings = PolicySettings()
    tracing: TracingSettings = TracingSettings()
    data: DataSettings = DataSettings()
    appearance: AppearanceSettings = AppearanceSettings()

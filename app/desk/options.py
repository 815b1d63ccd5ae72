"""What the command line says about a run, and the settings as they count with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.settings.first_look import FirstLook

if TYPE_CHECKING:
    from app.settings import Settings


@dataclass(frozen=True, slots=True)
class DeskOptions:
    """What the command line says about a run; None leaves it to the settings.

    Attributes:
        sample_data: Add the sample records, where they never were.
        interactive: A person sits in front of it: unsaved changes and the conversation are kept over restarts.
    """

    sample_data: bool = False
    backend: str | None = None
    model: str | None = None
    base_url: str | None = None
    timeout_s: float | None = None
    database_url: str | None = None
    interactive: bool = True


def with_options(settings: Settings, options: DeskOptions) -> Settings:
    """The settings as they count, with the command line on top. Where nobody listens nothing is spoken."""
    if not options.interactive:
        settings = settings.model_copy(update={"voice": settings.voice.model_copy(update={"speech": "off"})})
    given = {"backend": options.backend, "model": options.model, "base_url": options.base_url}
    update = {name: value for name, value in given.items() if value is not None}
    return settings.model_copy(update={"assistant": settings.assistant.model_copy(update=update)})


def look_of(settings: Settings) -> FirstLook:
    """What the window itself shows of the settings."""
    return FirstLook(settings.appearance.scheme, settings.appearance.text_size, settings.voice.push_to_talk_key)

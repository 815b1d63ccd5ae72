"""Looks at what the voice needs on this machine, for `greenroom doctor` and the Settings page."""

from __future__ import annotations

from dataclasses import dataclass

from app.voice.errors import ModelMissingError, VoiceError
from app.voice.models import DEFAULT_MODEL, find_model, model_size_bytes
from app.voice.moonshine.files import find_moonshine
from app.voice.sound_system import SoundSystem
from app.voice.speech import engine_voices


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: What ("Microphone").
        ok: Whether it works.
        detail: What was found.
        fix: What to do where it doesn't; may also warn where it does.
    """

    name: str
    ok: bool
    detail: str
    fix: str = ""


def check_voice(sound: SoundSystem, *, model: str = DEFAULT_MODEL) -> tuple[Check, ...]:
    """Checks the sound library with the microphone, the speech model and the speech engine; opens no microphone."""
    return (*_check_microphones(sound), _check_model(model), _check_second_model(), _check_speech())


def _check_microphones(sound: SoundSystem) -> tuple[Check, ...]:
    try:
        devices = sound.input_devices()
    except VoiceError as error:
        return (Check("Sound library", False, "PortAudio can't be used.", str(error)),)
    library = Check("Sound library", True, "PortAudio works.")
    if not devices:
        fix = "Plug a microphone in, or switch it on in the system's sound settings. Typing works without one."
        return (library, Check("Microphone", False, "No input device was found.", fix))
    names = ", ".join(device.name for device in devices)
    warning = (
        f"{devices[0].name} records what this machine plays, not a voice. Choose another in Settings, page Voice."
        if devices[0].is_loopback
        else ""
    )
    return (library, Check("Microphone", True, f"{devices[0].name} is the default. All: {names}.", warning))


def _check_model(name: str) -> Check:
    try:
        folder = find_model(name)
    except ModelMissingError as error:
        return Check("Speech model", False, f"{name} can't be used.", str(error))
    return Check("Speech model", True, f"{name}, {model_size_bytes(folder) / 1e6:.0f} MB, in {folder}.")


def _check_second_model() -> Check:
    folder = find_moonshine()
    if folder is None:
        fix = "Only names and addresses are heard better with it. On Linux: pip install moonshine-cpp==0.1.4"
        return Check("Second speech model", True, "None: what is not clear is heard again by the first one.", fix)
    return Check("Second speech model", True, f"Moonshine base, {model_size_bytes(folder) / 1e6:.0f} MB, in {folder}.")


def _check_speech() -> Check:
    try:
        voices = engine_voices()
    except VoiceError as error:
        return Check("Speech output", False, "No speech engine.", str(error))
    return Check("Speech output", True, f"{len(voices)} voices.")

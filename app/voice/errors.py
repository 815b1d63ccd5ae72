"""What can be wrong around the voice, each with a sentence for the person that says what to do."""

from __future__ import annotations


class VoiceError(Exception):
    """Something about recording, recognising or speaking can't work. `str()` is one or two readable sentences."""


class AudioFileError(VoiceError):
    """A sound file is missing, unreadable, empty, or no sound at all."""


class ModelMissingError(VoiceError):
    """No speech model where one was looked for, or what is there isn't whole."""


class TranscriptionError(VoiceError):
    """The speech model was found but could not be loaded or failed at work."""


class MicrophoneError(VoiceError):
    """No microphone can be opened, or the one in use has gone."""

"""Recording, transcription and speech output, on this machine. Imports no Qt."""

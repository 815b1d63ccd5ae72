"""Dictation into a long text: what is said is text, a correction of it, letters, or the end. No Qt."""

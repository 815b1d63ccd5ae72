"""Backends turn messages and tools into text and calls: commands, a model server, both, or a script."""

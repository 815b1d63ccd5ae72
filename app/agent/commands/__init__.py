"""Spoken and typed commands without a model: the reading that can be executed on this screen wins."""

from app.agent.commands.backend import CommandBackend

__all__ = ["CommandBackend"]

"""Spoken and typed commands without a model: the reading that can be executed on this screen wins."""

from app.agent.commands.amending import AmendingBackend
from app.agent.commands.backend import CommandBackend
from app.agent.commands.corrections import Corrections

__all__ = ["AmendingBackend", "CommandBackend", "Corrections"]

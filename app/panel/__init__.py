"""The assistant panel: conversation, proposal cards, push-to-talk."""

from app.panel.panel import AssistantPanel

__all__ = ["AssistantPanel"]

"""The assistant panel: conversation, proposal cards, push-to-talk."""

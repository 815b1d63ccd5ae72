"""Voice-enabled widgets: each registers itself, while it is on screen, as something that can be operated."""

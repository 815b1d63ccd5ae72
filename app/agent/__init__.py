"""The agent core: tools, the registry of what is on screen, backends, the loop. Imports no Qt."""

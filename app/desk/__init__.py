"""One running Greenroom put together from its parts: the window, the command line without a screen, the tour."""

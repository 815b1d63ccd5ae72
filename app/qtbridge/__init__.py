"""The thin adapter between the Qt-free core and Qt: threads, signals, the undo log."""

"""`greenroom corrections`: what was heard and what had been meant, as a person has put it right. Needs no Qt."""

from __future__ import annotations

import json

from app.agent.backends.wire.profile_file import FileProfiles
from app.store.location import data_folder

_FILE = "corrections.json"


def correction_store() -> FileProfiles:
    """Keeps the corrections of each field in a file of the person's own."""
    return FileProfiles(data_folder() / _FILE)


def list_corrections(*, as_json: bool) -> int:
    """Prints what is remembered, field by field; returns the exit status."""
    store = correction_store()
    known = {target: dict(store.load(target) or {}) for target in store.saved_under()}
    if as_json:
        print(json.dumps(known, ensure_ascii=False))
        return 0
    for target, corrected in known.items():
        for heard, meant in corrected.items():
            print(f"{target}: heard “{heard}”, meant “{meant}”")
    if not known:
        print("Nothing is remembered.")
    return 0


def clear_corrections() -> int:
    """Forgets all of it; returns the exit status. A window that is open forgets it, too."""
    (data_folder() / _FILE).unlink(missing_ok=True)
    print("Nothing is remembered any more.")
    return 0

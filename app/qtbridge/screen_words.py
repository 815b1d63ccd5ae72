"""The sentences that are likely on this screen, for the recogniser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from app.agent.snapshot import InstanceView, Snapshot

_ALWAYS = ("undo that",)
"""No answers to open questions: what is helped to be heard must not approve anything."""
_MOST_ITEMS = 5


def screen_words(snapshot: Snapshot) -> tuple[str, ...]:
    """Builds commands from the labels on the screen.

    Whole sentences help the recogniser more than single words do. It reads about the first hundred tokens only, so
    what is hardest to guess without it comes first.
    """
    views = [view for view in snapshot.instances if view.available]
    sentences = (*_ALWAYS, *_buttons(views), *_fields(views), *_items(views), *_pages(snapshot))
    return tuple(dict.fromkeys(sentences))


def _buttons(views: Sequence[InstanceView]) -> Iterator[str]:
    labels = [view.label.lower() for view in views if "click" in view.tools]
    # One with the verb shows the form; the others are said without it as often as with it.
    return (f"click {label}" if not place else label for place, label in enumerate(labels))


def _fields(views: Sequence[InstanceView]) -> Iterator[str]:
    for view in views:
        if "fill" in view.tools:
            yield f"set the {view.label.lower()} to"
        elif "choose" in view.tools:
            value = view.state.get("value")
            yield (
                f"set the {view.label.lower()} to {str(value).lower()}" if value else f"set the {view.label.lower()} to"
            )


def _items(views: Sequence[InstanceView]) -> Iterator[str]:
    for view in views:
        items = view.state.get("items")
        if "open_item" in view.tools and isinstance(items, Sequence) and not isinstance(items, str):
            yield from (str(item) for item in items[:_MOST_ITEMS])


def _pages(snapshot: Snapshot) -> Iterator[str]:
    pages = snapshot.screen.get("pages")
    if isinstance(pages, Sequence) and not isinstance(pages, str | Mapping):
        yield from (f"go to {str(page).lower()}" for page in pages if page != snapshot.screen.get("page"))

"""All ways to say a sentence template, as runs of words and slots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from hassil.expression import Alternative, Expression, Group, ListReference, RuleReference, Sentence, TextChunk

SLOT = "{"
"""A part that begins with this names a slot; all other parts are words."""

Parts = tuple[str, ...]


def expand(expression: Expression, rules: Mapping[str, Sentence]) -> Iterator[Parts]:
    """Yields each way to say a template: `("open", "the", "{page")` and so on, possibly with repeats."""
    if isinstance(expression, TextChunk):
        yield tuple(expression.text.split())
    elif isinstance(expression, ListReference):
        yield (SLOT + expression.list_name,)
    elif isinstance(expression, RuleReference):
        yield from expand(rules[expression.rule_name].expression, rules)
    elif isinstance(expression, Alternative):
        for item in expression.items:
            yield from expand(item, rules)
    elif isinstance(expression, Group):
        for combination in product(*(tuple(expand(item, rules)) for item in expression.items)):
            yield tuple(part for parts in combination for part in parts)
    else:
        raise TypeError(f"Templates have no {type(expression).__name__} here.")

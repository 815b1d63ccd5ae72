"""The sentences of the command backend: results, and questions with numbered options."""

from __future__ import annotations

from collections.abc import Sequence

from app.agent.commands.chain import Chain
from app.agent.commands.grammar import Grammar
from app.agent.commands.meaning import Meaning
from app.agent.commands.progress import Answered
from app.agent.messages import Utterance
from app.agent.values.numbers import spoken_number
from app.agent.values.words import plain


def told(answered: Sequence[Answered]) -> str:
    """What was done, from the results of the calls."""
    contents = [content for done in answered if (content := done.content.strip())]
    return " ".join(content if content.endswith((".", "?", "…")) else f"{content}." for content in contents)


def options_of(chains: Sequence[Chain]) -> tuple[str, ...]:
    """A numbered name for each of several chains: "Save 1", "Save 2", or only the clauses in which they differ."""
    named = [[_name(clause.meaning) for clause in chain] for chain in chains]
    first = named[0]
    same = {at for at in range(len(first)) if all(len(names) > at and names[at] == first[at] for names in named)}
    if len(same) == len(first):
        same = set()
    return tuple(
        f"{', '.join(name for at, name in enumerate(names) if at not in same)} {number}"
        for number, names in enumerate(named, 1)
    )


def question(options: Sequence[str]) -> str:
    """Asks which of the options is meant."""
    return f"{' or '.join(options)}?"


def chosen_number(utterance: Utterance, grammar: Grammar) -> int | None:
    """The number that an utterance says and nothing else: "two", "the second one", "number 2"."""
    answers = grammar.answers
    for reading in utterance.readings():
        words = [
            word for word in grammar.without_politeness(plain(reading.text)).split() if word not in answers["nouns"]
        ]
        said = " ".join(word for word in words if word != answers["article"])
        if said in answers["ordinals"]:
            return int(answers["ordinals"][said])
        numbers = (spoken_number(text, grammar.language) for text in (said, reading.text) if text)
        number = next((number for number in numbers if number is not None), None)
        if number is not None and number.is_integer() and number > 0:
            return int(number)
    return None


def _name(meaning: Meaning) -> str:
    if meaning.tool == "navigate":
        return meaning.label
    if meaning.intent == meaning.tool and not meaning.arguments and meaning.tool != "click":
        return meaning.tool.replace("_", " ").capitalize()
    values = [f"“{value}”" if isinstance(value, str) else str(value) for _, value in meaning.arguments]
    return " ".join([meaning.label or meaning.tool.replace("_", " "), *values])

"""What earlier turns of an utterance have done, and where in the sentence the rest begins."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from rapidfuzz.fuzz import token_set_ratio

from app.agent.commands.clauses import Division
from app.agent.commands.sentence import Sentence
from app.agent.messages import AssistantMessage, Message, ToolMessage, UserMessage, Utterance
from app.agent.values.words import plain


@dataclass(frozen=True, slots=True)
class Answered:
    """A call of an earlier turn with its result."""

    words: str
    content: str
    ok: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """The utterance being answered and what has been done about it.

    Attributes:
        asked: The utterance before, where it was answered with a question.
    """

    utterance: Utterance | None
    answered: tuple[Answered, ...] = ()
    asked: Utterance | None = None


def progress_of(messages: Sequence[Message]) -> Progress:
    """Finds the last utterance, and the calls since then that have a result."""
    last = max((at for at, message in enumerate(messages) if isinstance(message, UserMessage)), default=None)
    if last is None:
        return Progress(None)
    message = messages[last]
    assert isinstance(message, UserMessage)
    since = messages[last + 1 :]
    results = {message.call_id: message for message in since if isinstance(message, ToolMessage)}
    calls = [call for message in since if isinstance(message, AssistantMessage) for call in message.calls]
    answered = [
        Answered(words_of_call(call.name, call.arguments), results[call.id].content, results[call.id].ok)
        for call in calls
        if call.id in results
    ]
    return Progress(message.utterance, tuple(answered), _asked_before(messages[:last]))


def _asked_before(messages: Sequence[Message]) -> Utterance | None:
    question, utterance = messages[-1:], messages[-2:-1]
    if not (question and utterance):
        return None
    said, asked = utterance[0], question[0]
    is_question = isinstance(asked, AssistantMessage) and not asked.calls and asked.text.endswith("?")
    return said.utterance if is_question and isinstance(said, UserMessage) else None


def words_of_call(tool: str, arguments: str) -> str:
    """Tool, target and values of a call as plain words, to compare what was said with what was done."""
    try:
        given = json.loads(arguments or "{}")
    except ValueError:
        given = {}
    values = [str(value) for value in given.values()] if isinstance(given, dict) else []
    return plain(" ".join([tool, *values]))


def rest_after(
    sentence: Sentence,
    places: Sequence[Division],
    answered: Sequence[Answered],
    readings: Callable[[int, int], Collection[str]],
) -> tuple[int, float]:
    """The first word that no answered call explains, and how well the calls explain the words before it.

    Each call explains one run of words between divisions; the runs are chosen so that together they fit best. A run
    that still reads as the call fits; else words are compared, since the screen the call was made on may be gone.

    Arguments:
        readings: The calls that a run of words reads as on the screen now, in the words of `words_of_call`.
    """
    starts = {0: (0.0, 0)}
    stops = [(place.stop, place.start) for place in places] + [(len(sentence), len(sentence))]
    for call in answered:
        reached: dict[int, tuple[float, int]] = {}
        for begin, (score, words) in starts.items():
            for stop, following in stops:
                if stop <= begin:
                    continue
                size = stop - begin
                same = call.words in readings(begin, stop)
                fit = size if same else token_set_ratio(sentence.phrase(begin, stop), call.words) / 100 * size
                if following not in reached or (score + fit) / (words + size) > _mean(reached[following]):
                    reached[following] = (score + fit, words + size)
        starts = reached
    if not starts:
        return len(sentence), 0.0
    best = max(starts, key=lambda start: (_mean(starts[start]), -start))
    return best, _mean(starts[best])


def _mean(scored: tuple[float, int]) -> float:
    return scored[0] / scored[1] if scored[1] else 1.0

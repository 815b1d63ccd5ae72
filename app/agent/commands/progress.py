"""What earlier turns of an utterance have done, and where in the sentence the rest begins."""

from __future__ import annotations

import json
import secrets
import string
import zlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from rapidfuzz.fuzz import token_sort_ratio

from app.agent.commands.clauses import Division
from app.agent.commands.sentence import Sentence
from app.agent.messages import AssistantMessage, Message, ToolMessage, UserMessage, Utterance
from app.agent.values.words import plain

_DIGITS = string.digits + string.ascii_lowercase


@dataclass(frozen=True, slots=True)
class Answered:
    """A call of an earlier turn with its result.

    Attributes:
        call_id: The call's id, which `place_in` may be able to read.
        words: Tool, target and values as plain words.
    """

    call_id: str
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
        Answered(call.id, words_of_call(call.name, call.arguments), results[call.id].content, results[call.id].ok)
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


def call_id_for(hypothesis: int, word: int, text: str) -> str:
    """An id of 9 letters and digits that says where the next turn goes on: what keeps this backend without memory.

    Arguments:
        hypothesis: Index of the hypothesis the call was read from.
        word: The first word after the call's clause.
        text: The hypothesis, so that an id made for another sentence isn't taken for one of this.
    """
    place = _in_base_36(min(hypothesis, 35), 1) + _in_base_36(min(word, 36**3 - 1), 3)
    return place + _check(text) + "".join(secrets.choice(_DIGITS) for _ in range(3))


def place_in(call_id: str, texts: Sequence[str]) -> tuple[int, int] | None:
    """Hypothesis and word from an id made by `call_id_for` for one of these texts; None for any other id."""
    if len(call_id) != 9 or not set(call_id[:6]) <= set(_DIGITS):
        return None
    hypothesis, word = int(call_id[0], 36), int(call_id[1:4], 36)
    known = hypothesis < len(texts) and call_id[4:6] == _check(texts[hypothesis])
    return (hypothesis, word) if known else None


def _in_base_36(number: int, length: int) -> str:
    digits = ""
    for _ in range(length):
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits


def _check(text: str) -> str:
    return _in_base_36(zlib.crc32(text.encode()), 2)


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
                fit = size if same else token_sort_ratio(sentence.phrase(begin, stop), call.words) / 100 * size
                if following not in reached or (score + fit) / (words + size) > _mean(reached[following]):
                    reached[following] = (score + fit, words + size)
        starts = reached
    if not starts:
        return len(sentence), 0.0
    best = max(starts, key=lambda start: (_mean(starts[start]), -start))
    return best, _mean(starts[best])


def _mean(scored: tuple[float, int]) -> float:
    return scored[0] / scored[1] if scored[1] else 1.0

"""Whether words that only sound near to a command can have been it: the surer the recogniser, the less likely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.agent.commands.said import Said
from app.agent.values.phones import alike

_SURE, UNSURE = -0.7, -1.2
"""Mean log-probabilities per token of the likeliest reading, between which less and less likeness is asked for."""

_WHOLE_SURE, _WHOLE_UNSURE = 0.8, 0.7
_NAMES_SURE, _NAMES_UNSURE = 0.76, 0.58
"""The likeness asked for of all words together and of each name in them. A person who says a command that isn't
understood says it again; one who talks to somebody else doesn't expect anything to happen."""


_ONLY_NAME = 0.9
"""Where the rest is so clear that all together is this much alike, the name may be less so: "push the same button"."""

_LEAST_LIKE_THE_LIKELIEST = ((0.35, 0.65), (0.65, 0.72), (0.9, 1.01))
"""By how much a reading is less likely than the likeliest one, and how alike it has to sound to it then: a command that
is far less likely than talk, and sounds otherwise, was made up by the decoder."""


_CUT_SHORT = 0.1
"""A reading that is the beginning of a likelier one has lost its end."""


@dataclass(frozen=True, slots=True)
class Ear:
    """Compares what was heard with commands, sound by sound.

    Attributes:
        log_probability: Of the likeliest reading of all; 0 for typed words.
    """

    log_probability: float

    def believes(self, said: Said, command: Sequence[str], *, whole: bool = True) -> bool:
        """Whether the words heard can be the words of a command round its value.

        Arguments:
            command: The words heard, those of an open value left out.
            whole: Ask for the likeness of all of it, not only of the names.
        """
        likeness = alike(" ".join(command), f"{said.before} {said.after}".strip())
        if whole and likeness < self._asked(_WHOLE_SURE, _WHOLE_UNSURE):
            return False
        least = self._asked(_NAMES_SURE, _NAMES_UNSURE)
        return likeness >= _ONLY_NAME or all(_best_window(name, command) >= least for name in said.names)

    def hears(self, phrase: str, log_probability: float, likeliest: str) -> bool:
        """Whether a reading that is less likely than the likeliest one can still be what was said."""
        behind = self.log_probability - log_probability
        if likeliest.startswith(f"{phrase} "):
            # The rest may be what a decoder in a loop made of the silence after the speech.
            again = likeliest.removeprefix(f"{phrase} ").split()[0] == phrase.split()[0]
            return again or behind <= _CUT_SHORT
        least = max((least for gap, least in _LEAST_LIKE_THE_LIKELIEST if behind > gap), default=0.0)
        return not least or alike(phrase, likeliest) >= least

    def _asked(self, sure: float, unsure: float) -> float:
        part = min(max((_SURE - self.log_probability) / (_SURE - UNSURE), 0.0), 1.0)
        return sure + (unsure - sure) * part


def _best_window(name: str, heard: Sequence[str]) -> float:
    size = name.count(" ") + 1
    return max(
        alike(" ".join(heard[at : at + length]), name)
        for length in range(max(1, size - 1), size + 3)
        for at in range(max(1, len(heard) - length + 1))
    )

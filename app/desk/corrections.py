"""What an utterance should have meant, as far as the person has shown it: by approving, editing, or saying it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, TypeAlias

from rapidfuzz.fuzz import ratio

from app.desk.utterance_record import KeptCall, KeptProposal, UtteranceRecord
from app.voice.hypotheses import plain

Evidence: TypeAlias = Literal["approved", "edited", "said otherwise", "rejected", "nothing"]

_SAID_AGAIN_WITHIN = timedelta(seconds=60)
_ALIKE_PERCENT = 60


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must come of an utterance when it is heard again.

    Attributes:
        evidence: How it is known; `nothing` where it isn't.
        wanted: The actions, or None where only the unwanted ones are known.
        unwanted: Actions that the person rejected.
    """

    evidence: Evidence
    wanted: tuple[KeptCall, ...] | None = None
    unwanted: tuple[KeptCall, ...] = ()

    def judges(self, calls: tuple[KeptCall, ...]) -> bool | None:
        """Whether these actions are right; None where that isn't known."""
        if self.wanted is not None:
            return calls == self.wanted
        if not self.unwanted:
            return None
        return False if any(call in self.unwanted for call in calls) else None


def expectation(record: UtteranceRecord, after: Sequence[UtteranceRecord]) -> Expectation:
    """What the person has shown about one utterance.

    Args:
        record: The utterance.
        after: Those that followed it, the next first.
    """
    proposals = record.first_turn()
    wanted = tuple(proposal.last for proposal in proposals if _is_accepted(proposal))
    rejected = tuple(proposal.last for proposal in proposals if proposal.decided == "reject")
    if wanted:
        edited = any(proposal.first != proposal.last for proposal in proposals if _is_accepted(proposal))
        return Expectation("edited" if edited else "approved", wanted, rejected)
    otherwise = _said_otherwise(record, after)
    if otherwise:
        return Expectation("said otherwise", otherwise, rejected)
    return Expectation("rejected", None, rejected) if rejected else Expectation("nothing")


def _said_otherwise(record: UtteranceRecord, after: Sequence[UtteranceRecord]) -> tuple[KeptCall, ...]:
    """What was accepted of the next utterance, if that was meant to say the same."""
    following = next((each for each in after if each.answer is None), None)
    if following is None or record.answer is not None or following.page != record.page:
        return ()
    if following.at - record.at > _SAID_AGAIN_WITHIN:
        return ()
    accepted = tuple(proposal.last for proposal in following.first_turn() if _is_accepted(proposal))
    same_words = ratio(plain(record.text), plain(following.text)) >= _ALIKE_PERCENT
    return accepted if same_words or _same_thing(record.first_turn(), accepted) else ()


def _same_thing(proposals: Sequence[KeptProposal], accepted: Sequence[KeptCall]) -> bool:
    """Whether what was accepted is for the same field or button as what was proposed before."""
    targets = {(proposal.first.tool, proposal.first.target) for proposal in proposals}
    return any((call.tool, call.target) in targets for call in accepted)


def _is_accepted(proposal: KeptProposal) -> bool:
    return proposal.decided == "approve" and proposal.status in ("approved", "running", "done", "failed")

"""How often and after what wait a request is made again."""

from __future__ import annotations

from dataclasses import dataclass

from app.agent.backends.wire.faults import WireError


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Bounds of trying again.

    Attributes:
        attempts: Requests in all for one turn.
        first_delay_s: Wait before the second; it doubles each time.
        longest_delay_s: Bound of a wait of our own.
        longest_retry_after_s: A server that asks for a longer wait is not asked again.
        few_attempts: Requests in all where the server stalled, which costs a whole timeout each, or gave an answer
            that can't be used, which rarely changes.
    """

    attempts: int = 3
    first_delay_s: float = 0.5
    longest_delay_s: float = 8.0
    longest_retry_after_s: float = 20.0
    few_attempts: int = 2

    def delay_s(self, fault: WireError, made: int) -> float | None:
        """Seconds to wait before the next request, or None where there is to be none.

        Args:
            fault: How the last one failed.
            made: Requests made for this turn so far.
        """
        attempts = self.few_attempts if fault.kind in ("timeout", "bad_answer") else self.attempts
        if not fault.passing or made >= attempts:
            return None
        if fault.retry_after_s is not None:
            return fault.retry_after_s if fault.retry_after_s <= self.longest_retry_after_s else None
        return min(self.first_delay_s * 2.0 ** (made - 1), self.longest_delay_s)

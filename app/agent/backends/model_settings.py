"""Which model on which server, and the key for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import SecretStr

OPENAI_BASE_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How a model server is reached. Neither `repr` nor `str` shows the key.

    Attributes:
        model: The model's name on that server.
        base_url: Up to and with the version (`http://127.0.0.1:11434/v1`); None for OpenAI's.
        api_key: None where the server wants none. The environment is never looked at, so that the key for one server
            can't reach another.
        timeout_s: Seconds without a single byte after which the server counts as stalled.
        context_tokens: Tokens that a request may hold; what is older goes.
        log_probabilities: Asks the server for them, to tell the confidence of its calls.
    """

    model: str
    base_url: str | None = field(default=None, repr=False)
    api_key: SecretStr | None = None
    timeout_s: float = 60.0
    context_tokens: int = 16_000
    log_probabilities: bool = False

    @property
    def server(self) -> str:
        """The base URL that is used."""
        return (self.base_url or OPENAI_BASE_URL).rstrip("/")

    @property
    def host(self) -> str:
        """Host and port for people to read: without a user name or a password that the URL may hold."""
        return self._netloc.rpartition("@")[2]

    def secrets(self) -> tuple[str, ...]:
        """What must not be in any message or log."""
        key = self.api_key.get_secret_value() if self.api_key else ""
        password = self._netloc.rpartition("@")[0].partition(":")[2]
        return tuple(secret for secret in (key, password) if secret)

    @property
    def _netloc(self) -> str:
        # By hand: the functions of urllib refuse an address with a fault, and a message has to name it even then.
        return self.server.partition("://")[2].partition("/")[0] or self.server

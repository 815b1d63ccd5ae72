"""Secrets are known by the name of their field and by their shape; prose is left alone."""

from __future__ import annotations

import pytest

from app.agent.guards import HIDDEN, is_secret_name, public_state, redact, redact_json
from app.agent.json_types import Json
from app.agent.snapshot import InstanceView

TAIL = "0123456789abcdefghijABCDEFGHIJ0123456789"

SECRETS = [
    f"sk-{TAIL}",
    f"sk-proj-{TAIL}",
    f"sk_live_{TAIL}",
    f"ghp_{TAIL}",
    f"github_pat_{TAIL}",
    f"glpat-{TAIL}",
    f"xoxb-{TAIL}",
    "AKIAABCDEFGHIJKLMNOP",
    f"AIza{TAIL}",
    f"hf_{TAIL}",
    f"npm_{TAIL}",
    f"pypi-{TAIL}",
    f"eyJ{TAIL}.eyJ{TAIL}.{TAIL}",
    f"hooks.slack.com/services/{TAIL}",
    f"-----BEGIN RSA PRIVATE KEY-----\n{TAIL}\n-----END RSA PRIVATE KEY-----",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_keys_are_hidden_within_a_text(secret: str) -> None:
    assert redact(f"use {secret} for it") == f"use {HIDDEN} for it"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("password: hunter2", f"password: {HIDDEN}"),
        ('{"api_key": "abcd1234"}', f'{{"api_key": "{HIDDEN}"}}'),
        ("PASSWORD=hunter", f"PASSWORD={HIDDEN}"),
        ("the password is hunter2", f"the password is {HIDDEN}"),
        ("secret=abcdef", f"secret={HIDDEN}"),
        ("Authorization: Bearer abcdef123456.789", f"Authorization: Bearer {HIDDEN}"),
        ("https://desk:hunter2@example.org/v1", f"https://{HIDDEN}@example.org/v1"),
    ],
)
def test_what_is_named_a_secret_is_hidden(text: str, expected: str) -> None:
    assert redact(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The secret: asking first",
        "The secret is knowing when to stop",
        "a password is required",
        "sk-learn for beginners",
        "mail jane@example.com about https://example.org/a:b",
        "the bearer of bad news",
        "Tokens, and how models read them",
        "task-0123456789",
    ],
)
def test_prose_is_left_alone(text: str) -> None:
    assert redact(text) == text


def test_known_secrets_are_hidden_whatever_they_look_like() -> None:
    assert redact("it is swordfish, swordfish", ["swordfish", ""]) == f"it is {HIDDEN}, {HIDDEN}"


@pytest.mark.parametrize(
    "name",
    ["Password", "New password", "user_password", "pass phrase", "API key", "api_key", "apikey", "Access token", "PIN",
     "PIN code", "Secret", "client-secret", "CVC", "Card number", "One-time code", "private key", "Credentials"],
)  # fmt: skip
def test_secret_names(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["Title", "Keynote", "Key", "Speakers", "Compass", "Spinner", "Tokenizer", "Passport photo"]
)
def test_other_names(name: str) -> None:
    assert not is_secret_name(name)


def test_json_is_redacted_at_every_depth() -> None:
    value: Json = {"a": [f"sk-{TAIL}", 3, None, True], "b": {"password": "x", "empty": None, "token": None}}
    assert redact_json(value) == {"a": [HIDDEN, 3, None, True], "b": {"password": HIDDEN, "empty": None, "token": None}}


@pytest.mark.parametrize("view", [
    InstanceView("g", "password", "Word", "field", state={"value": "x", "value_type": "text"}),
    InstanceView("g", "field", "Password", "field", state={"value": "x", "value_type": "text"}),
    InstanceView("g", "field", "Word", "field", aliases=("pass phrase",), state={"value": "x", "value_type": "text"}),
])  # fmt: skip
def test_the_value_of_a_secret_field_is_not_in_its_public_state(view: InstanceView) -> None:
    assert public_state(view) == {"value_type": "text"}


def test_the_value_of_another_field_is_redacted_only() -> None:
    view = InstanceView("g", "notes", "Notes", "field", state={"value": f"see sk-{TAIL}", "required": True})
    assert public_state(view) == {"value": f"see {HIDDEN}", "required": True}

"""Where the key comes from, where it is kept, and that it shows nowhere."""

from __future__ import annotations

from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail, null
from keyring.errors import PasswordDeleteError
from pydantic import SecretStr

from app.settings import KeyStore, Settings, SettingsFile

KEY = "sk-test-0123456789abcdef"


class MemoryBackend(KeyringBackend):
    """Stands in for a desktop's secret service: there is none here, and the person's own must not be touched."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError("none")


@pytest.fixture(autouse=True)
def keyring_as_before() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


@pytest.fixture
def backend() -> MemoryBackend:
    made = MemoryBackend()
    keyring.set_keyring(made)
    return made


@pytest.fixture(params=[fail.Keyring, null.Keyring], ids=["raises", "keeps nothing"])
def no_service(request: pytest.FixtureRequest) -> None:
    keyring.set_keyring(request.param())


def test_the_environment_goes_first(backend: MemoryBackend) -> None:
    backend.set_password("greenroom", "https://api.openai.com/v1", "sk-kept")

    found = KeyStore({"OPENAI_API_KEY": f" {KEY}\n"}).key()

    assert found is not None
    assert (found.secret.get_secret_value(), found.source) == (KEY, "environment")


def test_the_secret_service_keeps_it_over_restarts(backend: MemoryBackend) -> None:
    sentence = KeyStore({}).remember(SecretStr(KEY))

    found = KeyStore({}).key()
    assert found is not None
    assert (found.secret.get_secret_value(), found.source) == (KEY, "secret_service")
    assert "kept by the secret service" in sentence
    assert list(backend.kept) == [("greenroom", "https://api.openai.com/v1")]


@pytest.mark.usefixtures("no_service")
def test_without_a_secret_service_it_lasts_for_this_run_and_says_so() -> None:
    store = KeyStore({})

    sentence = store.remember(SecretStr(KEY))

    found = store.key()
    assert found is not None
    assert (found.secret.get_secret_value(), found.source) == (KEY, "this_run")
    assert "this run only" in sentence
    assert "OPENAI_API_KEY" in sentence
    assert KeyStore({}).key() is None


@pytest.mark.usefixtures("backend")
def test_the_key_of_one_server_never_reaches_another() -> None:
    store = KeyStore({})
    store.remember(SecretStr(KEY), "http://127.0.0.1:1234/v1/")

    assert store.key() is None
    assert store.key("http://127.0.0.1:1234/v1") is not None


@pytest.mark.usefixtures("no_service")
def test_a_key_of_this_run_can_be_forgotten() -> None:
    store = KeyStore({})
    store.remember(SecretStr(KEY))

    store.forget()

    assert store.key() is None


def test_a_kept_key_can_be_forgotten_twice(backend: MemoryBackend) -> None:
    store = KeyStore({})
    store.remember(SecretStr(KEY))

    store.forget()
    store.forget()

    assert store.key() is None
    assert backend.kept == {}


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("text", ["", "  ", "two words", "a\tb"])
def test_what_is_no_key_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(ValueError, match=r"^A key is one word without blanks\.$"):
        KeyStore({}).remember(SecretStr(text))


@pytest.mark.usefixtures("no_service")
def test_the_key_is_in_no_representation_and_in_no_file() -> None:
    store = KeyStore({})
    store.remember(SecretStr(KEY))
    file = SettingsFile()
    file.save(Settings())

    shown = f"{store!r} {store.key()!r} {store.key()!s} {file.path.read_text('utf-8')}"

    assert KEY not in shown

"""The speech models that can be had: their files with size and checksum, and the languages they know.

The files are the CTranslate2 conversions that faster-whisper's own names stand for, each at one revision that never
changes. A file with another size or checksum is not the model, wherever it came from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.voice.errors import ModelMissingError


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model; `sha256` in hexadecimal."""

    name: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class KnownModel:
    """One model.

    Attributes:
        name: As in Settings and on the command line ("base").
        repository, revision: Where the files are on a model hub, and which state of them.
        files: All that the recogniser needs, the small ones first.
    """

    name: str
    repository: str
    revision: str
    files: tuple[ModelFile, ...]

    @property
    def size_bytes(self) -> int:
        """What is downloaded, and the room it takes."""
        return sum(file.size_bytes for file in self.files)

    def path_of(self, file: ModelFile) -> str:
        """The file's path below the address of a hub or a mirror."""
        return f"{self.repository}/resolve/{self.revision}/{file.name}"


def is_english_name(name: str) -> bool:
    """Whether a model of that name knows English only, by convention."""
    return name.endswith(".en")


def languages_in_words(*, english_only: bool) -> str:
    """The languages of a model, as a list shows them."""
    return "English" if english_only else "about 100 languages"


_TOKENIZER = ModelFile("tokenizer.json", 2_203_239, "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab")
_VOCABULARY = ModelFile("vocabulary.txt", 459_861, "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913")
_TOKENIZER_EN = ModelFile(
    "tokenizer.json", 2_128_466, "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df"
)
_VOCABULARY_EN = ModelFile(
    "vocabulary.txt", 422_309, "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf"
)


def _model(name: str, revision: str, config: tuple[int, str], weights: tuple[int, str]) -> KnownModel:
    tokens = (_VOCABULARY_EN, _TOKENIZER_EN) if name.endswith(".en") else (_VOCABULARY, _TOKENIZER)
    files = (ModelFile("config.json", *config), *tokens, ModelFile("model.bin", *weights))
    return KnownModel(name, f"Systran/faster-whisper-{name}", revision, files)


_MODELS = (
    _model(
        "tiny.en",
        "0d3d19a32d3338f10357c0889762bd8d64bbdeba",
        (2_317, "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5"),
        (75_537_502, "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"),
    ),
    _model(
        "tiny",
        "d90ca5fe260221311c53c58e660288d3deb8d356",
        (2_249, "a73a28cdfe1c43ccc7202fa333d1f89c202477271407ae9a7f19afa52039cac8"),
        (75_538_270, "dcb76c6586fc06cbdac6dd21f14cfd129cc4cdd9dce19bf4ffa62e59cbe6e6d1"),
    ),
    _model(
        "base.en",
        "3d3d5dee26484f91867d81cb899cfcf72b96be6c",
        (2_227, "f3bc3821e9fc76a27bae538e11ae5b677dcdd352b4600429ce7951d398569aeb"),
        (145_216_508, "2a166925539a16005f14ff328359f9b9adb9dc4fb631bb3b227526862e93e2ef"),
    ),
    _model(
        "base",
        "ebe41f70d5b6dfa9166e2c581c45c9c0cfc57b66",
        (2_309, "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a"),
        (145_217_532, "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"),
    ),
    _model(
        "small.en",
        "d1d751a5f8271d482d14ca55d9e2deeebbae577f",
        (2_657, "666a9605530ac1f61fa8177f3702b4dacec9966749e42610839fcc32661d5fae"),
        (483_545_366, "62b2a45b05ee59acb4a5341b33ee35e041395d378d418a18acfe4c9e768ee37a"),
    ),
    _model(
        "small",
        "536b0662742c02347bc0e980a01041f333bce120",
        (2_370, "b55496ac7940a7ae47d2c01eab40edfd8701feec1229d9cce3b40014383fb828"),
        (483_546_902, "3e305921506d8872816023e4c273e75d2419fb89b24da97b4fe7bce14170d671"),
    ),
    KnownModel(
        "large-v3-turbo",
        "dropbox-dash/faster-whisper-large-v3-turbo",
        "0a363e9161cbc7ed1431c9597a8ceaf0c4f78fcf",
        (
            ModelFile("config.json", 2_263, "b0253ea6c0d3bea6b1e19e91a02acfd3b53f4467362efcb5a3e6b16c9b3a9b7e"),
            ModelFile(
                "preprocessor_config.json", 340, "7ccc62c6f2765af1f3b46c00c9b5894426835a05021c8b9c01eecb6dfb542711"
            ),
            ModelFile("vocabulary.json", 1_068_114, "c69260f2ab26d659b7c398f9a2b2b48ed0df16c3b47d7326782fd9cba71690c1"),
            ModelFile("tokenizer.json", 2_710_337, "297b13372ac43916285644fb9687add3cc62ee2a1adb60da3dc25cc94c1871fd"),
            ModelFile("model.bin", 1_617_884_929, "e76620f83d5f5b69efd3d87e3dc180c1bd21df9fbebacfd4335e5e1efcc018da"),
        ),
    ),
)

KNOWN_MODELS: Mapping[str, KnownModel] = MappingProxyType({model.name: model for model in _MODELS})
"""Name -> model, the quickest first."""


def known_model(name: str, catalogue: Mapping[str, KnownModel] = KNOWN_MODELS) -> KnownModel:
    """The model of that name.

    Raises:
        ModelMissingError: There is none; says which there are.
    """
    if name not in catalogue:
        raise ModelMissingError(f'There is no speech model "{name}" to get. There are: {", ".join(catalogue)}.')
    return catalogue[name]

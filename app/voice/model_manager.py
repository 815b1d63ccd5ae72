"""The speech models of this machine: which there are, how quick each is; gets and removes them. Knows no Qt.

Every method may be called from any thread. `get` and `speed` wait: give them a thread of their own.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from app.voice.catalogue import KNOWN_MODELS, KnownModel, is_english_name, known_model, languages_in_words
from app.voice.download import (
    USUAL_PATIENCE,
    Cancellation,
    Progress,
    download_model,
    hub_address,
    partial_folder,
)
from app.voice.errors import ModelMissingError, VoiceError
from app.voice.fetch import Patience
from app.voice.model_speed import Speed, SpeedBook
from app.voice.models import (
    available_models,
    bundled_folder,
    find_model,
    knows_english_only,
    model_size_bytes,
    models_folder,
)
from app.voice.types import Recording

Place: TypeAlias = Literal["own", "bundled", "absent"]
"""In the person's models folder; in a package that was installed; nowhere on this machine."""


class ModelKeptError(VoiceError):
    """A model can't be removed; `str()` says why, and what to do."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """One model as a list shows it.

    Attributes:
        languages: In words.
        english_only: It hears any other language as English.
        size_bytes: On disk, or to download.
        path: Its folder, unless it is absent.
        in_use: It is the one that the settings name.
        speed: On this machine, if it was measured.
        partial_bytes: What an interrupted download has left; getting it goes on from there.
        can_get: There is something to get: it is absent, and known.
        kept_because: Why it can't be removed; an empty text where it can.
    """

    name: str
    languages: str
    english_only: bool
    size_bytes: int
    place: Place
    path: Path | None
    in_use: bool
    speed: Speed | None
    partial_bytes: int
    can_get: bool
    kept_because: str


class ModelManager:
    """Lists, gets, removes and measures models."""

    def __init__(
        self,
        sample: Callable[[], Recording],
        *,
        folder: Path | None = None,
        catalogue: Mapping[str, KnownModel] = KNOWN_MODELS,
        patience: Patience = USUAL_PATIENCE,
    ) -> None:
        """Looks at nothing yet.

        Args:
            sample: A spoken command, to measure with.
            folder: The models folder; by default the person's.
            catalogue: The models that can be had.
            patience: How long a server is waited for.
        """
        self._sample = sample
        self._folder = models_folder() if folder is None else folder
        self._catalogue = catalogue
        self._patience = patience
        self._speeds = SpeedBook(self._folder)

    def models(self, in_use: str = "") -> tuple[ModelInfo, ...]:
        """All models: those that can be had, and what else is in the models folder.

        Args:
            in_use: Name or path of the model in the settings.
        """
        here = available_models(folder=self._folder)
        names = dict.fromkeys((*self._catalogue, *here))
        infos = (self._info_now(name, here.get(name), in_use) for name in names)
        return tuple(info for info in infos if info is not None)

    def get(
        self,
        name: str,
        on_progress: Callable[[Progress], None] = lambda _: None,
        cancellation: Cancellation | None = None,
    ) -> Path:
        """Downloads a model, going on where an earlier download was interrupted. One that is here stays as it is.

        Args:
            name: A name of the catalogue.
            on_progress: Called in this thread, at most ten times a second.
            cancellation: Ends it from another thread.

        Returns:
            The model's folder.

        Raises:
            ModelMissingError: There is no model of that name to get.
            DownloadError: It could not be had, or the download was cancelled; what has come is kept.
        """
        model = known_model(name, self._catalogue)
        here = available_models(folder=self._folder).get(name)
        if here is not None:
            return here
        return download_model(
            model,
            self._folder,
            hub=hub_address(),
            on_progress=on_progress,
            cancellation=cancellation,
            patience=self._patience,
        )

    def remove(self, name: str, in_use: str = "") -> int:
        """Removes a model from the models folder, and what an interrupted download has left of it.

        Returns:
            How many bytes are free again.

        Raises:
            ModelKeptError: It is in use, or came with a package.
            ModelMissingError: It is not there.
        """
        own, partial = self._folder / name, partial_folder(self._folder, name)
        is_name = len(Path(name).parts) == 1 and not name.startswith(".")
        if not is_name or not (own.exists() or own.is_symlink() or partial.exists()):
            bundled = bundled_folder(name) if is_name else None
            if bundled is not None:
                raise ModelKeptError(_bundled(name))
            raise ModelMissingError(f'There is no speech model "{name}" in {self._folder}.')
        if own.exists() and (reason := self._kept_because(name, own, in_use)):
            raise ModelKeptError(reason)
        freed = 0
        for folder in (own, partial):
            if folder.is_symlink():  # Of a link only the link is ours.
                folder.unlink()
            elif folder.is_dir():
                freed += model_size_bytes(folder)
                shutil.rmtree(folder)
        self._speeds.forget(name)
        return freed

    def speed(self, name: str, cancellation: Cancellation | None = None) -> Speed:
        """How quick a model is on this machine; measured the first time, which takes some seconds.

        Raises:
            VoiceError: It isn't here, or can't be used; or the measuring was cancelled.
        """
        model = find_model(name, folder=self._folder)
        return self._speeds.kept(name, model) or self._speeds.measure(name, model, self._sample(), cancellation)

    def _info_now(self, name: str, path: Path | None, in_use: str) -> ModelInfo | None:
        try:
            return self._info(name, path, in_use)
        except FileNotFoundError:
            # Somebody has removed it meanwhile: it is absent, and the others are listed all the same.
            return self._info(name, None, in_use) if name in self._catalogue else None

    def _info(self, name: str, path: Path | None, in_use: str) -> ModelInfo:
        known = self._catalogue.get(name)
        partial = partial_folder(self._folder, name)
        english_only = is_english_name(name) if path is None or known else knows_english_only(path)
        return ModelInfo(
            name=name,
            languages=languages_in_words(english_only=english_only),
            english_only=english_only,
            size_bytes=model_size_bytes(path) if path else known.size_bytes if known else 0,
            place="absent" if path is None else "bundled" if path == bundled_folder(name) else "own",
            path=path,
            in_use=_is_in_use(name, path, in_use),
            speed=self._speeds.kept(name, path) if path else None,
            partial_bytes=model_size_bytes(partial) if partial.is_dir() else 0,
            can_get=path is None and known is not None,
            kept_because=self._kept_because(name, path, in_use) if path else "It is not here.",
        )

    def _kept_because(self, name: str, path: Path, in_use: str) -> str:
        bundled = bundled_folder(name)
        if path == bundled:
            return _bundled(name)
        if _is_in_use(name, path, in_use) and bundled is None:
            return f"{name} is in use. Choose another model in Settings, page Voice, first."
        return ""


def _is_in_use(name: str, path: Path | None, in_use: str) -> bool:
    return name == in_use or (path is not None and bool(in_use) and path == Path(in_use).expanduser())


def _bundled(name: str) -> str:
    return f"{name} came with a package and belongs to it. Remove that package to remove the model."

"""Runs a model on the GPU while that works, and on the CPU from the first failure on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Generic, Literal, TypeAlias, TypeVar

M = TypeVar("M")
T = TypeVar("T")

Device: TypeAlias = Literal["cuda", "cpu"]

_log = logging.getLogger("greenroom")

_FAULTS = (RuntimeError, ValueError, OSError)
"""What CTranslate2 raises for a missing library, a driver too old, no memory left, a number format it can't do."""


def gpu_is_there() -> bool:
    """Whether CTranslate2 finds a GPU. It may still fail: its libraries are only looked for when it first computes."""
    import ctranslate2

    try:
        return bool(ctranslate2.get_cuda_device_count() > 0)
    except RuntimeError:  # A driver that doesn't answer.
        return False


class BestDevice(Generic[M]):
    """Owns a model that is loaded at first use. Not for several threads at once."""

    def __init__(self, load: Callable[[Device], M], *, has_gpu: Callable[[], bool] = gpu_is_there) -> None:
        """Loads nothing yet.

        Args:
            load: Loads the model for a device.
            has_gpu: Whether to try a GPU at all; asked once, at first use.
        """
        self._load = load
        self._has_gpu = has_gpu
        self._device: Device | None = None
        self._model: M | None = None
        self.gpu_problem = ""
        """What the GPU failed with, if it did."""

    @property
    def device(self) -> Device | None:
        """Where the model runs; None before its first use."""
        return self._device

    @property
    def is_loaded(self) -> bool:
        """Whether there is a model in memory."""
        return self._model is not None

    def run(self, work: Callable[[M], T]) -> T:
        """Gives `work` the model and returns what it returns.

        Where the GPU fails, in loading or in the work, the model is loaded for the CPU and the work is done again with
        the same input. There is no way back to the GPU before `close`.

        Raises:
            RuntimeError, ValueError, OSError: From `load` or `work`, on the CPU.
        """
        if self._device is None:
            self._device = "cuda" if self._has_gpu() else "cpu"
        if self._device == "cuda":
            try:
                return work(self._loaded("cuda"))
            except _FAULTS as error:
                self.gpu_problem = str(error)
            _log.warning("the GPU can't be used, so the CPU is: %s", self.gpu_problem)
            self._model, self._device = None, "cpu"
        return work(self._loaded("cpu"))

    def close(self) -> None:
        """Frees the model. The next use loads it again, and asks for a GPU again."""
        self._model, self._device = None, None

    def _loaded(self, device: Device) -> M:
        if self._model is None:
            self._model = self._load(device)
        return self._model

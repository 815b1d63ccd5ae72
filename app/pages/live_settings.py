"""The settings of the running program: changed one by one, stored at once, undone like everything else."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import ValidationError
from PySide6.QtCore import QObject, Signal

from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.qtbridge.undo import UndoLog
from app.settings import Settings, SettingsError, SettingsFile


class LiveSettings(QObject):
    """The settings as the file has them; what the environment decides stands above them elsewhere.

    Args:
        file: Where they are stored.
        settings: As loaded from it.
        undo: Takes each change.
    """

    changed = Signal(object)
    """The new `Settings`, stored."""

    def __init__(self, file: SettingsFile, settings: Settings, undo: UndoLog, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = file
        self._undo = undo
        self.settings = settings

    def value(self, section: str, name: str) -> Json:
        """The value of one setting."""
        value: Json = getattr(getattr(self.settings, section), name)
        return value

    def change(self, section: str, name: str, value: Json) -> None:
        """Sets one setting, stores all, and records it for undo.

        Raises:
            ToolError: The value does not fit, or the file can't be written. Nothing was changed.
        """
        before = self.value(section, name)
        if before == value:
            return
        self.put(section, name, value)
        self._undo.record(_SettingChange(self, section, name, before, value))

    def put(self, section: str, name: str, value: Json) -> None:
        """Sets and stores one setting, without recording it. Raises as `change` does."""
        values = self.settings.model_dump()
        values[section][name] = value
        try:
            settings = Settings.model_validate(values)
            self._file.save(settings)
        except ValidationError as error:
            raise ToolError(f"This setting does not take “{value}”.") from error
        except SettingsError as error:
            raise ToolError(str(error)) from error
        self.settings = settings
        self.changed.emit(settings)


@dataclass(frozen=True)
class _SettingChange:
    settings: LiveSettings
    section: str
    name: str
    before: Json
    after: Json

    @property
    def text(self) -> str:
        return f"Setting “{self.name.replace('_', ' ')}”"

    def undo(self) -> None:
        self.settings.put(self.section, self.name, self.before)

    def redo(self) -> None:
        self.settings.put(self.section, self.name, self.after)

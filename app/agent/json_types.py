"""The JSON value types that cross the agent's boundaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from typing_extensions import TypeAliasType

# A named alias rather than a plain one: pydantic resolves recursion only through the name.
Json = TypeAliasType("Json", "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None")
JsonObject: TypeAlias = Mapping[str, Json]

"""Runs the tests of a module on SQLite and on PostgreSQL."""

from __future__ import annotations

import pytest

BOTH = pytest.mark.parametrize("url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True)

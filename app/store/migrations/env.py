"""Run by Alembic. The connection, already in a transaction, comes from `migrations.upgrade`."""

from __future__ import annotations

from alembic import context

from app.store import engine_models, models
from app.store.columns import Base

# Importing the modules is what fills the metadata.
_ = (engine_models, models)

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()

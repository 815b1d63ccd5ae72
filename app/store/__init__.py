"""The person's data and the engine's journal: models, migrations, queries, drafts, sample data. Imports no Qt.

`Database.open()` finds, checks and migrates the database. `Store` is what pages use; `SqlJournal` is what the engine
uses. Every call is one short transaction and blocks: SQLite answers well under a frame, so the GUI thread may call
`Store` directly. Both may be used from several threads, because no call shares a connection with another.
"""

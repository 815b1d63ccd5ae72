"""The person's data and the engine's journal: models, migrations, queries, drafts, sample data. Imports no Qt.

    opened = Database.open(database_url(settings.data.database_url))   # opened.notice: say it, if there is one
    store, drafts = Store(opened.database), Drafts(opened.database)    # what pages use
    journal = SqlJournal(opened.database)                              # what the engine uses
    opened.database.close()

Every call is one short transaction and blocks: on SQLite a few milliseconds, so the GUI thread may call `Store` and
`Drafts` directly; for a list of hundreds use `Store.titles`. Calls share no connection, so any thread may make them.
Whatever goes wrong is a `StoreError` whose text a person can read.
"""

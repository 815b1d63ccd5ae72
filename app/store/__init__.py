"""The data: SQLAlchemy models, migrations, queries. Imports no Qt."""

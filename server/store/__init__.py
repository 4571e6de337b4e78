"""The database: the only place with SQLAlchemy. One set of tables for SQLite and PostgreSQL."""

"""Alembic migrations; the same ones run on SQLite and on PostgreSQL."""

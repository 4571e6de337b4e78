"""Writing a row, or mending the one that is there: what SQLite and PostgreSQL both can."""

from typing import Any

from sqlalchemy import ColumnElement, Table, case
from sqlalchemy.dialects import postgresql, sqlite


def insert_into(dialect: str, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Begin an insert that can say what to do `ON CONFLICT`."""
    if dialect == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


def lesser(old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
    """Give the lesser of two values, or the one that is there."""
    return case((old.is_(None), new), (new < old, new), else_=old)


def greater(old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
    """Give the greater of two values, or the one that is there."""
    return case((old.is_(None), new), (new > old, new), else_=old)

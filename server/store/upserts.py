"""Writing a row, or mending the one that is there: what SQLite and PostgreSQL both can."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Table, case
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


def insert_into(dialect: str, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Begin an insert that can say what to do `ON CONFLICT`."""
    if dialect == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


async def insert_unless_there(
    connection: AsyncConnection, table: Table, row: Mapping[str, Any]
) -> bool:
    """Write a row, unless one with its key is there; gives whether it was written.

    A row that another transaction is writing meanwhile is waited for.
    """
    insert = insert_into(connection.dialect.name, table).values(**row)
    written = await connection.execute(insert.on_conflict_do_nothing())
    return written.rowcount == 1


def lesser(old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
    """Give the lesser of two values, or the one that is there."""
    return case((old.is_(None), new), (new < old, new), else_=old)


def greater(old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
    """Give the greater of two values, or the one that is there."""
    return case((old.is_(None), new), (new > old, new), else_=old)

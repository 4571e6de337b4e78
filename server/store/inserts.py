"""Writing rows that another node may have written already."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


async def insert_unless_there(
    connection: AsyncConnection, table: Table, row: Mapping[str, Any]
) -> bool:
    """Write a row, unless one with its key is there; gives whether it was written.

    A row that another transaction is writing meanwhile is waited for.
    """
    on_postgresql = connection.dialect.name == "postgresql"
    insert = postgresql.insert(table) if on_postgresql else sqlite.insert(table)
    written = await connection.execute(insert.values(**row).on_conflict_do_nothing())
    return written.rowcount == 1

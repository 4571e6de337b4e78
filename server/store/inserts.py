"""Writing rows that another node may have written already."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Table
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.upserts import insert_into


async def insert_unless_there(
    connection: AsyncConnection, table: Table, row: Mapping[str, Any]
) -> bool:
    """Write a row, unless one with its key is there; gives whether it was written.

    A row that another transaction is writing meanwhile is waited for.
    """
    insert = insert_into(connection.dialect.name, table).values(**row)
    written = await connection.execute(insert.on_conflict_do_nothing())
    return written.rowcount == 1

"""How Alembic reaches the database: through `DATABASE_URL`, or a connection that it is given."""

import asyncio
import os
from typing import Any, Literal

from alembic import context
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import create_async_engine

from server.settings import Settings
from server.store.connecting import parse_url
from server.store.tables import Moment, metadata


def render_item(kind: str, item: Any, _autogenerate: Any) -> str | Literal[False]:
    """Write our own types as what they are in the database: migrations outlive the code."""
    return "sa.BigInteger()" if kind == "type" and isinstance(item, Moment) else False


def migrate(connection: Connection) -> None:
    """Run the migrations over a connection, in one transaction."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=True,
        render_item=render_item,
    )
    with context.begin_transaction():
        context.run_migrations()


async def connect_and_migrate() -> None:
    """Run the migrations on the database that the environment names."""
    engine = create_async_engine(parse_url(Settings.from_environment(os.environ).database_url))
    async with engine.begin() as connection:
        await connection.run_sync(migrate)
    await engine.dispose()


if (given := context.config.attributes.get("connection")) is not None:
    migrate(given)
else:
    asyncio.run(connect_and_migrate())

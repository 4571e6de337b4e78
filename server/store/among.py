"""Comparing a column with any number of values, which go as one parameter."""

import json
from collections.abc import Collection

from sqlalchemy import ARRAY, ColumnElement, String, any_, func, literal, select
from sqlalchemy.ext.asyncio import AsyncConnection


def among(
    connection: AsyncConnection, column: ColumnElement[str], ids: Collection[str]
) -> ColumnElement[bool]:
    """Tell whether a column holds one of these ids."""
    if connection.dialect.name == "postgresql":
        return column == any_(literal(list(ids), ARRAY(String)))
    each = func.json_each(json.dumps(list(ids))).table_valued("value")
    return column.in_(select(each.c.value))

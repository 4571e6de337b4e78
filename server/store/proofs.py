"""The proofs that rooms' deals can be won."""

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.race.proof import Proof
from server.store.database import Database
from server.store.tables import proofs


class Proofs:
    """The proofs in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_room(self, room_id: str) -> Proof | None:
        """Give the proof that a room's deal can be won; None for a room opened without one.

        Raises:
            Unavailable: the database did not answer.
        """
        query = select(proofs.c.line, proofs.c.positions).where(proofs.c.room_id == room_id)
        async with self._database.glance() as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else read_proof(row.line, row.positions)


async def keep_proof(connection: AsyncConnection, room_id: str, proof: Proof) -> None:
    """Keep the proof of a room that is being opened by the same transaction."""
    row = {"room_id": room_id, "line": write_line(proof), "positions": proof.positions}
    await connection.execute(insert(proofs).values(row))


def write_line(proof: Proof) -> str:
    """Write a proof's line as its column keeps it."""
    return " ".join(proof.line)


def read_proof(line: str, positions: int) -> Proof:
    """Read a proof that was kept."""
    return Proof(line=tuple(line.split()), positions=positions)

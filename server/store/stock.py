"""The stock of deals proven winnable, shared by all nodes."""

from datetime import datetime

from sqlalchemy import delete, func, select

from server.game import GameCode
from server.race.proof import ProvenDeal, Variant
from server.store.database import Database
from server.store.proofs import read_proof, write_line
from server.store.tables import proven_deals
from server.store.upserts import insert_unless_there

KIND = (proven_deals.c.ruleset, proven_deals.c.draw, proven_deals.c.sealed)


class ProvenDeals:
    """The proven deals in a database that no room has taken yet."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, deal: ProvenDeal, *, at: datetime) -> None:
        """Put a deal in stock; one that is there already stays as it is.

        Raises:
            Unavailable: the database did not answer.
        """
        row = {
            "code": str(deal.code),
            "ruleset": deal.code.ruleset.name,
            "draw": deal.code.draw,
            "sealed": deal.code.is_sealable,
            "line": write_line(deal.proof),
            "positions": deal.proof.positions,
            "proven_at": at,
        }
        async with self._database.write() as connection:
            await insert_unless_there(connection, proven_deals, row)

    async def take(self, variant: Variant) -> ProvenDeal | None:
        """Take out the oldest deal of a kind, or None; whoever asks, each deal is given once.

        Raises:
            Unavailable: the database did not answer; perhaps a deal has been lost to it.
        """
        oldest = (
            select(proven_deals.c.code)
            .where(*(column == value for column, value in zip(KIND, variant, strict=True)))
            .order_by(proven_deals.c.proven_at, proven_deals.c.code)
            .limit(1)
            .with_for_update(skip_locked=True)  # on PostgreSQL: who takes another is not waited for
        )
        taking = (
            delete(proven_deals)
            .where(proven_deals.c.code == oldest.scalar_subquery())
            .returning(proven_deals.c.code, proven_deals.c.line, proven_deals.c.positions)
        )
        async with self._database.write() as connection:
            row = (await connection.execute(taking)).one_or_none()
        if row is None:
            return None
        return ProvenDeal(code=GameCode.parse(row.code), proof=read_proof(row.line, row.positions))

    async def count(self) -> dict[Variant, int]:
        """Count the deals of each kind that are in stock; a kind without any is left out.

        Raises:
            Unavailable: the database did not answer.
        """
        query = select(*KIND, func.count()).group_by(*KIND)
        async with self._database.glance() as connection:
            rows = (await connection.execute(query)).all()
        return {Variant(ruleset, draw, sealed): count for ruleset, draw, sealed, count in rows}

"""The daily: games with clocks of their own, and deals proven winnable."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

RUNNING = sa.text("ends_at IS NOT NULL AND state = 'racing'")
RANKED = sa.text("rank IS NOT NULL")


def upgrade() -> None:
    """Take the step."""
    op.add_column("games", sa.Column("curve", sa.Text(), nullable=True))
    op.add_column("games", sa.Column("started_at", sa.BigInteger(), nullable=True))
    op.add_column("games", sa.Column("ends_at", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_games_running_out",
        "games",
        ["ends_at"],
        sqlite_where=RUNNING,
        postgresql_where=RUNNING,
    )
    op.create_index(
        "ix_games_ranked",
        "games",
        ["room_id", "rank", "id"],
        sqlite_where=RANKED,
        postgresql_where=RANKED,
    )
    op.add_column("actions", sa.Column("placed", sa.SmallInteger(), nullable=True))
    op.create_table(
        "dailies",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("room_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("planned_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name=op.f("fk_dailies_room_id")),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_dailies")),
        sa.UniqueConstraint("room_id", name=op.f("uq_dailies_room_id")),
    )
    op.create_table(
        "proofs",
        sa.Column("room_id", sa.String(length=16), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("positions", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name=op.f("fk_proofs_room_id")),
        sa.PrimaryKeyConstraint("room_id", name=op.f("pk_proofs")),
    )
    op.create_table(
        "proven_deals",
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("ruleset", sa.String(length=4), nullable=False),
        sa.Column("draw", sa.SmallInteger(), nullable=False),
        sa.Column("sealed", sa.Boolean(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("positions", sa.Integer(), nullable=False),
        sa.Column("proven_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_proven_deals")),
    )
    op.create_index(
        op.f("ix_proven_deals_ruleset_draw_sealed"), "proven_deals", ["ruleset", "draw", "sealed"]
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(length=16), nullable=False),
        sa.Column("value", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secrets")),
    )


def downgrade() -> None:
    """Take the step back; rooms of dailies stay, and so do their games."""
    op.drop_table("secrets")
    op.drop_index(op.f("ix_proven_deals_ruleset_draw_sealed"), table_name="proven_deals")
    op.drop_table("proven_deals")
    op.drop_table("proofs")
    op.drop_table("dailies")
    op.drop_column("actions", "placed")
    op.drop_index("ix_games_ranked", table_name="games")
    op.drop_index("ix_games_running_out", table_name="games")
    op.drop_column("games", "ends_at")
    op.drop_column("games", "started_at")
    op.drop_column("games", "curve")

"""The leaderboards: totals, runs of days, and ratings."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

UNSETTLED = sa.text("state = 'finished' AND NOT settled")
BOARDS = {
    "wins": "wins > 0",
    "fastest_ms": "fastest_ms IS NOT NULL",
    "placed": "placed > 0",
    "winnings": "winnings IS NOT NULL",
    "streak": "streak IS NOT NULL",
    "rating": "rating IS NOT NULL",
}


def upgrade() -> None:
    """Take the step. Rooms that have finished before are counted by the servers, or a recount."""
    op.add_column("games", sa.Column("counted_on", sa.Date(), nullable=True))
    op.add_column(
        "rooms", sa.Column("settled", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.create_index(
        "ix_rooms_unsettled",
        "rooms",
        ["started_at", "id"],
        sqlite_where=UNSETTLED,
        postgresql_where=UNSETTLED,
    )
    op.create_table(
        "player_days",
        sa.Column("player_id", sa.String(length=16), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_player_days_player_id")
        ),
        sa.PrimaryKeyConstraint("player_id", "day", name=op.f("pk_player_days")),
        sqlite_with_rowid=False,
    )
    _create_totals()
    _create_ratings()


def _create_totals() -> None:
    op.create_table(
        "player_totals",
        sa.Column("player_id", sa.String(length=16), nullable=False),
        sa.Column("ruleset", sa.String(length=4), nullable=False),
        sa.Column("draw", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("period", sa.String(length=5), nullable=False),
        sa.Column("start", sa.Date(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("placed", sa.Integer(), nullable=False),
        sa.Column("fastest_ms", sa.Integer(), nullable=True),
        sa.Column("winnings", sa.Integer(), nullable=True),
        sa.Column("streak", sa.Integer(), nullable=True),
        sa.Column("rating", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_player_totals_player_id")
        ),
        sa.PrimaryKeyConstraint(
            *("player_id", "ruleset", "draw", "period", "start"), name=op.f("pk_player_totals")
        ),
    )
    for value, there in BOARDS.items():
        op.create_index(
            f"ix_player_totals_{value}",
            "player_totals",
            ["ruleset", "draw", "kind", "period", "start", value, "player_id"],
            sqlite_where=sa.text(there),
            postgresql_where=sa.text(there),
        )


def _create_ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("player_id", sa.String(length=16), nullable=False),
        sa.Column("ruleset", sa.String(length=4), nullable=False),
        sa.Column("draw", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_ratings_player_id")),
        sa.PrimaryKeyConstraint("player_id", "ruleset", "draw", name=op.f("pk_ratings")),
    )
    op.create_table(
        "rating_changes",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("room_id", sa.String(length=16), nullable=False),
        sa.Column("player_id", sa.String(length=16), nullable=False),
        sa.Column("ruleset", sa.String(length=4), nullable=False),
        sa.Column("draw", sa.SmallInteger(), nullable=False),
        sa.Column("mu_before", sa.Double(), nullable=False),
        sa.Column("sigma_before", sa.Double(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_rating_changes_player_id")
        ),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name=op.f("fk_rating_changes_room_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_changes")),
        sa.UniqueConstraint(
            "room_id", "player_id", name=op.f("uq_rating_changes_room_id_player_id")
        ),
    )


def downgrade() -> None:
    """Take the step back; everything here can be counted again from the games."""
    op.drop_table("rating_changes")
    op.drop_table("ratings")
    for value in BOARDS:
        op.drop_index(f"ix_player_totals_{value}", table_name="player_totals")
    op.drop_table("player_totals")
    op.drop_table("player_days")
    op.drop_index("ix_rooms_unsettled", table_name="rooms")
    op.drop_column("rooms", "settled")
    op.drop_column("games", "counted_on")

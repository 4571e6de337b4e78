"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Take the step."""
    op.create_table(
        "players",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=True),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
        sa.UniqueConstraint("name_key", name=op.f("uq_players_name_key")),
    )
    op.create_table(
        "rooms",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("ruleset", sa.String(length=4), nullable=False),
        sa.Column("draw", sa.SmallInteger(), nullable=False),
        sa.Column("sealed", sa.Boolean(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("visibility", sa.String(length=8), nullable=False),
        sa.Column("time_limit_s", sa.Integer(), nullable=False),
        sa.Column("start", sa.String(length=8), nullable=False),
        sa.Column("start_at", sa.BigInteger(), nullable=True),
        sa.Column("countdown_s", sa.Integer(), nullable=False),
        sa.Column("undo", sa.Boolean(), nullable=False),
        sa.Column("ranked", sa.Boolean(), nullable=False),
        sa.Column("title", sa.String(length=80), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("nonce", sa.String(length=32), nullable=False),
        sa.Column("code_is_known", sa.Boolean(), nullable=False),
        sa.Column("host_id", sa.String(length=16), nullable=True),
        sa.Column("kicked", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_event_at", sa.BigInteger(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=True),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("ends_at", sa.BigInteger(), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("rematch", sa.String(length=16), nullable=True),
        sa.Column("created_by", sa.String(length=16), nullable=False),
        sa.Column("idempotency_key", sa.String(length=200), nullable=True),
        sa.ForeignKeyConstraint(["created_by"], ["players.id"], name=op.f("fk_rooms_created_by")),
        sa.ForeignKeyConstraint(["host_id"], ["players.id"], name=op.f("fk_rooms_host_id")),
        sa.ForeignKeyConstraint(["rematch"], ["rooms.id"], name=op.f("fk_rooms_rematch")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rooms")),
        sa.UniqueConstraint(
            "created_by", "idempotency_key", name=op.f("uq_rooms_created_by_idempotency_key")
        ),
    )
    with op.batch_alter_table("rooms", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_rooms_created_at_id"), ["created_at", "id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_rooms_due_at"), ["due_at"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_rooms_state_created_at_id"), ["state", "created_at", "id"], unique=False
        )

    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("player_id", sa.String(length=16), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_tokens_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("digest", name=op.f("uq_tokens_digest")),
    )
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tokens_player_id"), ["player_id"], unique=False)

    op.create_table(
        "games",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("room_id", sa.String(length=16), nullable=False),
        sa.Column("player_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("placed", sa.SmallInteger(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("at_ms", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("transcript", sa.Text(), nullable=True),
        sa.CheckConstraint("placed BETWEEN 0 AND 52", name=op.f("ck_games_placed")),
        sa.CheckConstraint("ply >= 0", name=op.f("ck_games_ply")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_games_player_id")),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name=op.f("fk_games_room_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("room_id", "player_id", name=op.f("uq_games_room_id_player_id")),
    )
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_games_player_id_ended_at"), ["player_id", "ended_at"], unique=False
        )

    op.create_table(
        "actions",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("ply", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("move", sa.String(length=5), nullable=False),
        sa.Column("elapsed_ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_actions_game_id")),
        sa.PrimaryKeyConstraint("game_id", "ply", name=op.f("pk_actions")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Take it back."""
    op.drop_table("actions")
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_games_player_id_ended_at"))

    op.drop_table("games")
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tokens_player_id"))

    op.drop_table("tokens")
    with op.batch_alter_table("rooms", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_rooms_state_created_at_id"))
        batch_op.drop_index(batch_op.f("ix_rooms_due_at"))
        batch_op.drop_index(batch_op.f("ix_rooms_created_at_id"))

    op.drop_table("rooms")
    op.drop_table("players")

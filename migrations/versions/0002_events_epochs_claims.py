"""Room events that can be told again, epochs to tell histories apart, claims of sockets."""

import secrets
import time

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Take the step."""
    op.create_table(
        "room_events",
        sa.Column("room_id", sa.String(length=16), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name=op.f("fk_room_events_room_id")),
        sa.PrimaryKeyConstraint("room_id", "version", name=op.f("pk_room_events")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_room_events_at"), "room_events", ["at"])
    epochs = op.create_table(
        "epochs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=16), nullable=False),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_epochs")),
    )
    op.bulk_insert(epochs, [{"name": secrets.token_hex(6), "began_at": int(time.time() * 1000)}])
    op.add_column("games", sa.Column("claim", sa.String(length=32), nullable=True))


def downgrade() -> None:
    """Take the step back."""
    op.drop_column("games", "claim")
    op.drop_table("epochs")
    op.drop_index(op.f("ix_room_events_at"), table_name="room_events")
    op.drop_table("room_events")

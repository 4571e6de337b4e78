"""The tables, the same on SQLite and PostgreSQL."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    Dialect,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
)

from server.race.instants import from_epoch_ms, to_epoch_ms


class Moment(TypeDecorator[datetime]):
    """An aware UTC instant, kept as milliseconds since 1970: the same, exactly, everywhere."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:  # noqa: ARG002 — SQLAlchemy's signature
        """Write an instant."""
        return None if value is None else to_epoch_ms(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002 — SQLAlchemy's signature
        """Read an instant."""
        return None if value is None else from_epoch_ms(value)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

HOUSE = "p_house"
"""The id of the nameless player who opens dailies, there from the first one on."""

ON_A_BOARD = {
    "wins": "wins > 0",
    "fastest_ms": "fastest_ms IS NOT NULL",
    "placed": "placed > 0",
    "winnings": "winnings IS NOT NULL",
    "streak": "streak IS NOT NULL",
    "rating": "rating IS NOT NULL",
}
"""The values that players are ranked by, each with whom its board has."""

UNSETTLED = text("state = 'finished' AND NOT settled")
"""Rooms of which something may still have to be counted, as the index on them has it."""

players = Table(
    "players",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("name", String(20), nullable=False),  # empty once the player has left for good
    Column("name_key", Text, unique=True),  # what may not be taken twice; null when free
    Column("kind", String(8), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("left_at", Moment),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
    Column("digest", String(64), nullable=False, unique=True),  # SHA-256 of the token
    Column("label", String(40), nullable=False),
    Column("created_at", Moment, nullable=False),
)

rooms = Table(
    "rooms",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("state", String(12), nullable=False),
    Column("version", Integer, nullable=False),
    Column("ruleset", String(4), nullable=False),
    Column("draw", SmallInteger, nullable=False),
    Column("sealed", Boolean, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("visibility", String(8), nullable=False),
    Column("time_limit_s", Integer, nullable=False),
    Column("start", String(8), nullable=False),
    Column("start_at", Moment),
    Column("countdown_s", Integer, nullable=False),
    Column("undo", Boolean, nullable=False),
    Column("ranked", Boolean, nullable=False),
    Column("title", String(80), nullable=False),
    Column("code", String(40), nullable=False),
    Column("nonce", String(32), nullable=False),
    Column("code_is_known", Boolean, nullable=False),
    Column("host_id", ForeignKey("players.id")),
    Column("kicked", JSON, nullable=False),  # ids of players who may not come back
    Column("created_at", Moment, nullable=False),
    Column("last_event_at", Moment, nullable=False),
    Column("starts_at", Moment),
    Column("started_at", Moment),
    Column("ends_at", Moment),
    Column("finished_at", Moment),
    Column("due_at", Moment),  # when the room next changes by itself
    Column("rematch", ForeignKey("rooms.id")),
    Column("created_by", ForeignKey("players.id"), nullable=False),  # the house opens dailies
    Column("idempotency_key", String(200)),
    Column("settled", Boolean, nullable=False, server_default=false()),  # nothing left to count
    UniqueConstraint("created_by", "idempotency_key"),
    Index(None, "due_at"),
    Index(None, "state", "created_at", "id"),
    Index(None, "created_at", "id"),
    Index(
        "ix_rooms_unsettled",
        "started_at",
        "id",
        sqlite_where=UNSETTLED,
        postgresql_where=UNSETTLED,
    ),
)

RANKED = text("rank IS NOT NULL")
"""Games of finished rooms: listed by rank, however many players there were."""

games = Table(
    "games",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("room_id", ForeignKey("rooms.id"), nullable=False),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("seat", Integer, nullable=False),  # the order of joining
    Column("state", String(12), nullable=False),
    Column("joined_at", Moment, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("placed", SmallInteger, nullable=False),
    Column("score", Integer, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("ended_at", Moment),
    Column("rank", Integer),
    Column("claim", String(32)),  # of the socket that plays it, the newest; see live/claims.py
    Column("transcript", Text),  # once the game has ended: moves and times, see transcripts.py
    Column("curve", Text),  # packed with the transcript: progress over time, see curves.py
    Column("started_at", Moment),  # of a daily's game: when its own clock began, and when it
    Column("ends_at", Moment),  # runs out; null where the game goes by its room's clock
    Column("counted_on", Date),  # the day whose boards have it; null while none has
    UniqueConstraint("room_id", "player_id"),
    Index(None, "player_id", "ended_at"),
    Index(
        "ix_games_running_out",
        "ends_at",
        sqlite_where=text("ends_at IS NOT NULL AND state = 'racing'"),
        postgresql_where=text("ends_at IS NOT NULL AND state = 'racing'"),
    ),
    Index("ix_games_ranked", "room_id", "rank", "id", sqlite_where=RANKED, postgresql_where=RANKED),
    CheckConstraint("ply >= 0", name="ply"),
    CheckConstraint("placed BETWEEN 0 AND 52", name="placed"),
)

actions = Table(
    "actions",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("move", String(5), nullable=False),
    Column("elapsed_ms", Integer, nullable=False),
    Column("placed", SmallInteger),  # cards on the foundations after it
    sqlite_with_rowid=False,
)
"""The live log: rows of games under way; a game that has ended is packed into its transcript."""

room_events = Table(
    "room_events",
    metadata,
    Column("room_id", ForeignKey("rooms.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False, index=True),
    Column("event", Text, nullable=False),  # as JSON, see race/events.py
    sqlite_with_rowid=False,
)
"""What happened in rooms lately: who lost the connection is told from here what came meanwhile."""

epochs = Table(
    "epochs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(16), nullable=False),
    Column("began_at", Moment, nullable=False),
)
"""Histories of this database: a new one begins when a backup has been restored."""

dailies = Table(
    "dailies",
    metadata,
    Column("day", Date, primary_key=True),
    Column("room_id", ForeignKey("rooms.id"), nullable=False, unique=True),
    Column("number", Integer, nullable=False),  # of the day's candidate that was taken, from 0
    Column("planned_at", Moment, nullable=False),
)
"""Which room is the daily of a day; replacing a deal puts another room there."""

proofs = Table(
    "proofs",
    metadata,
    Column("room_id", ForeignKey("rooms.id"), primary_key=True),
    Column("line", Text, nullable=False),  # moves from the deal to the win, blank-separated
    Column("positions", Integer, nullable=False),  # that the solver looked at
)
"""That a room's deal can be won."""

proven_deals = Table(
    "proven_deals",
    metadata,
    Column("code", String(40), primary_key=True),
    Column("ruleset", String(4), nullable=False),
    Column("draw", SmallInteger, nullable=False),
    Column("sealed", Boolean, nullable=False),
    Column("line", Text, nullable=False),
    Column("positions", Integer, nullable=False),
    Column("proven_at", Moment, nullable=False),
    Index(None, "ruleset", "draw", "sealed"),
)
"""The stock of deals for rooms that are to be winnable; each is taken once."""

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", String(64), nullable=False),
)
"""What nobody outside may know: `daily` is what the dailies' deals are chosen from."""

player_days = Table(
    "player_days",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("day", Date, primary_key=True),
    Column("run", Integer, nullable=False),  # days in a row with a win, up to this one
    sqlite_with_rowid=False,
)
"""The days on which players have won the daily."""

player_totals = Table(
    "player_totals",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("ruleset", String(4), primary_key=True),
    Column("draw", SmallInteger, primary_key=True, autoincrement=False),
    Column("period", String(5), primary_key=True),
    Column("start", Date, primary_key=True),  # the first day of the period
    Column("kind", String(8), nullable=False),  # the player's: bots have boards of their own
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("placed", Integer, nullable=False),
    Column("fastest_ms", Integer),  # win in a sealed room, on the player's own clock
    Column("winnings", Integer),  # dollars, of `CH1` only
    Column("streak", Integer),  # the longest run of daily wins that one of the period ended
    Column("rating", Double),  # as published after the last rated game of the period
    *(
        Index(
            f"ix_player_totals_{value}",
            *("ruleset", "draw", "kind", "period", "start", value, "player_id"),
            sqlite_where=text(there),
            postgresql_where=text(there),
        )
        for value, there in ON_A_BOARD.items()
    ),
)
"""What players have done in a variant and a period: the leaderboards are read from here."""

ratings = Table(
    "ratings",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("ruleset", String(4), primary_key=True),
    Column("draw", SmallInteger, primary_key=True, autoincrement=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),  # that it comes from
)
"""How strong players are believed to be now."""

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("room_id", ForeignKey("rooms.id"), nullable=False),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("ruleset", String(4), nullable=False),
    Column("draw", SmallInteger, nullable=False),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("rating", Double, nullable=False),  # as published from then on
    UniqueConstraint("room_id", "player_id"),
)
"""What each room did to the ratings, in the order in which it was done."""

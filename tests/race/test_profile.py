import msgspec

from server.race.profile import Profile, TokenInfo
from tests.race.builders import ANA


def test_a_profile_is_complete_for_someone_who_has_not_played() -> None:
    profile = Profile(
        player=ANA, games=0, wins=0, best_ms=None, streak=0, ratings=[], recent_games=[]
    )

    assert msgspec.to_builtins(profile) == {
        "player": {"id": "p_ana", "name": "Ana", "kind": "human"},
        "games": 0,
        "wins": 0,
        "best_ms": None,
        "streak": 0,
        "ratings": [],
        "recent_games": [],
    }


def test_a_listed_token_has_no_place_for_the_token_itself() -> None:
    assert TokenInfo.__struct_fields__ == ("id", "label", "created_at", "current")

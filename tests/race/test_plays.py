import msgspec

from server.race.plays import Action, Log, Outcome, Play


def test_a_play_cannot_be_changed_once_it_is_on_its_way() -> None:
    for kind in (Action, Log, Play):
        assert kind.__struct_config__.frozen


def test_a_play_says_everything_that_its_game_row_needs() -> None:
    progress = {"ply", "placed", "score", "at_ms", "state"}

    assert set(Play.__struct_fields__) == progress | {"game_id", "move", "elapsed_ms"}


def test_a_log_reads_back_as_itself() -> None:
    log = Log(state="racing", ended_at=None, actions=[Action("12", 900), Action("u", 1500)])

    assert msgspec.json.decode(msgspec.json.encode(log), type=Log) == log


def test_there_are_three_outcomes_and_only_one_of_them_counts_the_move() -> None:
    assert [outcome.value for outcome in Outcome] == ["written", "refused", "unknown"]

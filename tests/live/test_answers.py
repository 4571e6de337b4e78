from server.live.answers import Answer, Answers
from server.live.outbox import Outbox
from server.race.plays import Play


def a_play(ply: int) -> Play:
    return Play(
        game_id="g_1",
        ply=ply,
        move="d",
        elapsed_ms=0,
        placed=1,
        score=0,
        at_ms=0,
        state="racing",
    )


def an_answer(play: Play | None, frame: bytes, heard: list[bytes]) -> Answer:
    return Answer(0 if play is None else play.ply, play, frame, heard.append, public=False)


def test_what_keeps_only_its_turn_is_given_at_once_where_nothing_waits() -> None:
    heard: list[bytes] = []

    Answers().give(an_answer(None, b"reject", heard))

    assert heard == [b"reject"]


def test_answers_keep_the_order_of_their_moves() -> None:
    answers, heard = Answers(), list[bytes]()
    first, second = a_play(0), a_play(1)
    for play, frame in ((first, b"0"), (None, b"reject"), (second, b"1"), (None, b"gap")):
        answers.give(an_answer(play, frame, heard))
    assert (heard, len(answers)) == ([], 4)

    answers.written(first)
    assert heard == [b"0", b"reject"]

    answers.written(second)
    assert (heard, len(answers)) == ([b"0", b"reject", b"1", b"gap"], 0)


def test_a_play_that_was_dropped_brings_no_answer_any_more() -> None:
    answers, heard = Answers(), list[bytes]()
    lost, later = a_play(0), a_play(1)
    answers.give(an_answer(lost, b"0", heard))

    assert [answer.frame for answer in answers.drop()] == [b"0"]
    answers.give(an_answer(later, b"1", heard))
    answers.written(lost)

    assert (heard, answers.awaits(lost), answers.awaits(later)) == ([], False, True)


async def test_what_is_public_goes_to_the_players_socket_while_there_is_one() -> None:
    answers, outbox = Answers(), Outbox(most_frames=16)
    answers.give(Answer(0, None, b"unheard", None, public=True))

    answers.outbox = outbox
    answers.give(Answer(0, None, b"private", lambda _: None, public=False))
    answers.give(Answer(0, None, b"public", None, public=True))

    assert await outbox.next_frame() == b"public"

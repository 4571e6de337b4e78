import msgspec
import pytest

from server.race.faults import invalid, pointer_to
from server.race.settings import RoomWish


@pytest.mark.parametrize("name", ["a`b", "a/b", "~", "", "\n", "\U0001f0cf"])
def test_an_unknown_field_is_pointed_at_whatever_it_is_called(name: str) -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.convert({name: 1}, RoomWish)

    assert invalid(refused.value, RoomWish).pointer == pointer_to(name)


@pytest.mark.parametrize(
    ("sent", "pointer", "mend"),
    [
        ({"seats": 0}, "/seats", ">= 1"),
        ({"seats": "many"}, "/seats", "int"),
        ({"start": "now"}, "/start", "at, host, ready"),
        ({"seat": 3}, "/seat", "seats"),
    ],
)
def test_what_is_wrong_is_named_with_how_to_mend_it(
    sent: dict[str, object], pointer: str, mend: str
) -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.convert(sent, RoomWish)

    refusal = invalid(refused.value, RoomWish)

    assert refusal.pointer == pointer
    assert mend in refusal.detail

import hashlib
import re
from random import Random

import pytest

from server.game import CF1, CH1, GameCode, Ruleset
from server.race.deals import ALPHABET, Chance, Deal


def a_chance(seed: int) -> Chance:
    """Chance that a seed decides."""
    random = Random(seed)
    return Chance(randbelow=random.randrange, token_hex=lambda size: random.randbytes(size).hex())


def test_a_commitment_is_the_sha256_of_code_and_nonce() -> None:
    deal = Deal(code=GameCode.parse("CF1-D3-AAAAACL"), nonce="00" * 16)

    told = b"CF1-D3-AAAAACL:00000000000000000000000000000000"
    assert deal.commitment == hashlib.sha256(told).hexdigest()


def test_the_same_code_with_another_nonce_has_another_commitment() -> None:
    code, chance = GameCode.parse("CF1-D3-AAAAACL"), Chance()
    one, other = chance.commit(code), chance.commit(code)

    assert one.code == other.code == code
    assert one.commitment != other.commitment


@pytest.mark.parametrize(("ruleset", "draw"), [(CF1, 3), (CF1, 1), (CH1, 3)])
@pytest.mark.parametrize(("sealed", "letters"), [(False, 7), (True, 28)])
def test_a_random_deal_is_of_its_variant_and_long_enough(
    ruleset: Ruleset, draw: int, sealed: bool, letters: int
) -> None:
    deal = Chance().deal(ruleset=ruleset, draw=draw, sealed=sealed)

    assert (deal.code.ruleset, deal.code.draw, len(deal.code.letters)) == (ruleset, draw, letters)
    assert deal.code.is_sealable is sealed
    assert re.fullmatch("[0-9a-f]{32}", deal.nonce)
    assert GameCode.parse(str(deal.code)) == deal.code


def test_deals_differ_from_one_another() -> None:
    chance = Chance()
    deals = {str(chance.deal(ruleset=CF1, draw=3, sealed=True).code) for _ in range(100)}

    assert len(deals) == 100


def test_a_test_brings_its_own_chance_and_gets_the_same_deal_again() -> None:
    one, again, other = (
        a_chance(seed).deal(ruleset=CF1, draw=3, sealed=False) for seed in (1, 1, 2)
    )

    assert one == again
    assert one != other


def test_identifiers_have_no_look_alikes() -> None:
    identifier = Chance().identifier(1000)

    assert len(identifier) == 1000
    assert set(identifier) <= set(ALPHABET)
    assert not set(ALPHABET) & set("il1o0")
    assert len(set(ALPHABET)) == len(ALPHABET)


def test_a_token_has_256_bits_of_chance_and_is_never_the_same() -> None:
    chance = Chance()

    first, second = chance.token(), chance.token()

    assert first != second
    assert len(bytes.fromhex(first.removeprefix("cr_"))) == 32


def test_a_secret_is_256_bits_that_nobody_can_guess() -> None:
    secrets = {Chance().secret() for _ in range(5)}

    assert len(secrets) == 5
    assert all(re.fullmatch("[0-9a-f]{64}", secret) for secret in secrets)

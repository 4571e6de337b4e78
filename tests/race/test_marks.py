from server.race.marks import Claim


def test_claims_that_say_the_same_are_one() -> None:
    claims = {Claim("r_1", "p_ana", "1"), Claim("r_1", "p_ana", "1"), Claim("r_1", "p_ana", "2")}

    assert claims == {Claim("r_1", "p_ana", "1"), Claim("r_1", "p_ana", "2")}

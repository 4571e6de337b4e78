"""Having deals proven, and believing no line that the engine has not replayed."""

import structlog

from server.game import GameCode
from server.live.ports import Prover
from server.race.proof import Proof

log = structlog.get_logger()


async def prove(prover: Prover, code: GameCode, *, positions: int, short: bool) -> Proof | None:
    """Look for a proof among so many positions; gives it once the engine has won by its line."""
    proof = await prover.prove(code, positions=positions, short=short)
    if proof is not None and not proof.holds_for(code):
        log.error("proof.does_not_hold", positions=proof.positions)  # the deal may be a secret
        return None
    return proof

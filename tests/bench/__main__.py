"""Everything that is measured: `make bench`."""

from tests.bench import moves, rules

rules.main()
moves.main()

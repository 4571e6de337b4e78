"""Everything that is measured: `make bench`; some of it: `make bench ONLY="memory fanout"`."""

import sys

from tests.bench.chosen import clean_up_when_told_to_end, run

clean_up_when_told_to_end()
run(sys.argv[1:])

"""How nodes tell each other what happens: hints, in one process or through Redis."""

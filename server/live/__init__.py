"""What is happening now: frames, sockets, the bus and timers. No SQL and no Starlette here."""

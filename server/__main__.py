"""`python -m server` is `canfield-race`."""

from server.cli import main

main()

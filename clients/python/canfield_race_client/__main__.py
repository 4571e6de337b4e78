"""`python -m canfield_race_client` is `canfield`."""

from canfield_race_client.cli import main

main()

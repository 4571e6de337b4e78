"""The Python client of Canfield Race servers."""

"""Canfield Race: a multiplayer race server for Canfield solitaire."""

"""Faults on real processes while bots race: `make faults` tries them many times, the suite once."""

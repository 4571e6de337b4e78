"""Deals proven winnable: solving them apart from races, planning dailies, keeping a stock."""

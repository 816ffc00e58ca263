"""Grids as links between flat cell indices: headings, neighbours, distances."""

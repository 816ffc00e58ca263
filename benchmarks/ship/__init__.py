"""The ship: how fast its fires are, and whether their cost follows what burns."""

BENCHMARKS = ("peers", "crew", "scale")
"""In the order in which they run."""

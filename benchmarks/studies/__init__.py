"""Studies: whether intervals cover, and what pairing does for comparisons of shipped maps."""

BENCHMARKS = ("coverage", "pairing")
"""In the order in which they run."""

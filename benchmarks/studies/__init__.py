"""Studies: whether intervals cover, what pairing does for comparisons of shipped maps, what a study costs."""

BENCHMARKS = ("coverage", "pairing", "overhead", "workers", "memory")
"""In the order in which they run."""

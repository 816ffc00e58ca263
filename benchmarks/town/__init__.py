"""The town: our kernel against peers and against itself."""

BENCHMARKS = ("peers", "scale", "log", "dice", "cold_start", "workers", "memory")
"""In the order in which they run."""

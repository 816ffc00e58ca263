"""The town: our kernel against peers and against itself."""

BENCHMARKS = ("peers", "big", "growth", "log", "dice", "cold_start", "workers", "memory")
"""In the order in which they run."""

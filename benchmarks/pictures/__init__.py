"""Pictures: what a hundred frames of a fire cost in time and memory."""

BENCHMARKS = ("frames",)
"""In the order in which they run."""

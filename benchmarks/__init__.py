"""Benchmarks: ratios measured side by side in one run; see README.md. Run as `python -m benchmarks GROUP`."""

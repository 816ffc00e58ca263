"""Engines: where blocks are burnt. Each is an executor of `concurrent.futures`, imported in one file alone."""

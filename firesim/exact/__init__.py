"""Exact odds: of rolls, and of a fire by Markov chain."""

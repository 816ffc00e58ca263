"""Examples as data: one file shows one rule with its dice, and `replay` plays it."""

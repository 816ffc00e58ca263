"""A fire at the table: step by step, with people who interfere, real dice, undo, and a save that proves itself."""

"""Dice: keyed (a pure function of who rolls, when, for what and at what), scripted, or rolled by a person."""

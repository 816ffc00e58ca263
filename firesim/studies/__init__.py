"""Studies: many fires, and what they say."""

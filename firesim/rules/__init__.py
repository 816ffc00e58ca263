"""The rule systems, one folder each; they share words and never import each other."""

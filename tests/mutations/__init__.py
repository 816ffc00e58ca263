"""Breaking the rules one at a time, to see that some test notices."""

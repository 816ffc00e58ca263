"""Files of maps and scenarios: our own TOML, and other tools' formats."""

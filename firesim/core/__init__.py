"""Words every room shares: problems, scenarios, fields, tables."""

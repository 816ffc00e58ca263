"""Ship, module and person fire [SH-01..SH-56]."""

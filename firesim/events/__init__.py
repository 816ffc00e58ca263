"""The event log: rows a kernel writes, and the records and sentences made from them."""

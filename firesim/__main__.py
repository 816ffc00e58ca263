"""`python -m firesim` is `firesim`."""

from __future__ import annotations

from firesim.cli import main

if __name__ == "__main__":
    main()

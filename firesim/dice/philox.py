"""Philox4x32-10, a counter-based generator.

Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11 (2011);
the known-answer vectors of the authors' Random123 library are in `tests/dice/test_philox.py`. It passes TestU01's
BigCrush.
"""

from __future__ import annotations

import numpy as np

from firesim.jit import jit

MULTIPLIER_0 = np.uint64(0xD2511F53)
MULTIPLIER_1 = np.uint64(0xCD9E8D57)
WEYL_0 = np.uint64(0x9E3779B9)
WEYL_1 = np.uint64(0xBB67AE85)
MASK = np.uint64(0xFFFFFFFF)
WORD = np.uint64(32)
ROUNDS = 10


@jit
def philox(c0, c1, c2, c3, k0, k1):
    """Four words of 32 bits (as uint64) from a counter of four such words and a key of two."""
    for _ in range(ROUNDS):
        product_0 = MULTIPLIER_0 * c0
        product_1 = MULTIPLIER_1 * c2
        c0 = (product_1 >> WORD) ^ c1 ^ k0
        c1 = product_1 & MASK
        c2 = (product_0 >> WORD) ^ c3 ^ k1
        c3 = product_0 & MASK
        k0 = (k0 + WEYL_0) & MASK
        k1 = (k1 + WEYL_1) & MASK
    return c0, c1, c2, c3

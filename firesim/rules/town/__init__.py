"""Burning down the town: buildings on 10-yard hexes [TN-01..TN-72]."""

"""Offsets and orders, on sizes and intervals alone. Knows no IR; the search is in C++."""

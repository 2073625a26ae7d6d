"""Rewrites that passes and the compiler share."""

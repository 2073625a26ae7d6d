"""Passes: one file, one flag, one folder of tests."""

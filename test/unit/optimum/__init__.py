"""The exhaustive search and its programs are imported from here, as names of their own."""

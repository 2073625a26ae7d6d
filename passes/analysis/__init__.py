"""Facts about a function: numbering of ops, liveness, aliases, reasons. Results are frozen."""

"""The front end for MLIR text."""

"""Patterns of gated recurrent units in a program, for the passes that fuse, pad, reorder and quantize them."""

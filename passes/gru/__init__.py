"""Patterns and weights of gated recurrent units, for the passes that fuse, pad, reorder and quantize them."""

"""Backward parts of functions: gradients of parameters, and the updates that use them."""

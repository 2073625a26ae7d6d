"""Memory demand of a function: what needs an offset, how long, how much, and what a plan that is given keeps."""

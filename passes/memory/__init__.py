"""Memory demand of a function: which buffers need an offset, when they are live, and how much that is."""

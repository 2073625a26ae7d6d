"""oneDNN's primitives, one file each: what an op declares, the `onednn` op, and how steps are chosen from the first."""

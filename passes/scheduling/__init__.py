"""Orders of operations, alone and together with in-place decisions and offsets."""

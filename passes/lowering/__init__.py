"""Parts of `--lower-to-onednn-pass`."""

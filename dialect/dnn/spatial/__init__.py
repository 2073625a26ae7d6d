"""Ops on tensors with spatial axes: convolutions, pools, resizing."""

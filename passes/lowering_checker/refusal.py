"""Why a lowered module is not accepted."""

from __future__ import annotations


class Mismatch(Exception):
    """What is wrong, in words; who catches it knows the step."""

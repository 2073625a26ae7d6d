"""Whether oneDNN packs the weights of products on this processor: with AVX-512 it does, with AVX2 it reads them as they
are."""

from __future__ import annotations

import numpy as np
import pytest

from lastuse.runtime import _core


def _packs() -> bool:
    plain = _core.Desc(np.dtype(np.float32), (48, 48), (48, 1))
    chosen = _core.matmul(plain, _core.Desc.any_layout(np.dtype(np.float32), (48, 48)), None, plain, threads=1)
    return chosen.ins[1] != plain


PACKS = _packs()
needs_packing = pytest.mark.skipif(not PACKS, reason="oneDNN packs no weights of products on this processor")

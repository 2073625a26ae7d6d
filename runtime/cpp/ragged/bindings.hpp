#pragma once

#include <pybind11/pybind11.h>

namespace lastuse {

// What of ragged rows is in lastuse.runtime._core.
void bind_ragged(pybind11::module_ &m);

} // namespace lastuse

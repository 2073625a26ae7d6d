// How the columns of the weights of recurrent layers are packed: vectors, and panels of vectors.
#pragma once

#include <cstdint>

namespace lastuse::kernels {

// Columns of a vector, and vectors of a panel.
struct PanelSizes {
    int64_t lanes, vectors;
};

// Kernels compiled for AVX-512 read wide panels, all others narrow ones.
constexpr PanelSizes wide_panels = {16, 2}, narrow_panels = {8, 3};

} // namespace lastuse::kernels

// The kernels of cell.hpp for processors with AVX2 and FMA.
#include "cell.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

namespace lastuse::ragged::avx2 {

#include "cell_kernel.inc"

} // namespace lastuse::ragged::avx2

#endif

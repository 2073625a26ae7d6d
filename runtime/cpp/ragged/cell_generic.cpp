// The kernels of cell.hpp for any processor.
#include "cell.hpp"

namespace lastuse::ragged::generic {

#include "cell_kernel.inc"

} // namespace lastuse::ragged::generic

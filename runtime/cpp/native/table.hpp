// The kernels that ops name (`HasKernel.native_kernel`), and steps that call them.
#pragma once

#include "../core/program.hpp"
#include "../kernels/call.hpp"

namespace lastuse::native {

// The kernel of the name for operands and results as those of the call. Throws Error if there is none of the name, or it
// does not take these.
kernels::Prepared prepare(const std::string &name, const kernels::Call &call);

// Bytes of scratch that a kernel takes on as many threads as the call has, of operands whose elements are not there; 0 of
// those that take what the op's contract says.
int64_t scratch_bytes(const std::string &name, const kernels::Call &call);

// A step that calls a kernel. `op`: the name of the op that it computes; `numbers`: what its attributes say.
void add_native(StepProgram &program, StepName name, const std::string &kernel, const std::string &op,
                const std::vector<double> &numbers, const std::vector<int> &ins, const std::vector<int> &outs, int scratch,
                int64_t scratch_bytes);

} // namespace lastuse::native

#include "processors.hpp"

#include <dnnl.hpp>

namespace lastuse::kernels {

namespace {

// Whether the processor has an instruction set and ONEDNN_MAX_CPU_ISA allows it.
bool has(dnnl::cpu_isa required) {
    static const int available = static_cast<int>(dnnl::get_effective_cpu_isa());
    return (available & static_cast<int>(required)) == static_cast<int>(required);
}

} // namespace

bool has_avx2() {
#if defined(__x86_64__)
    static const bool has_more = __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
    return has_more && has(dnnl::cpu_isa::avx2);
#else
    return false;
#endif
}

bool has_avx512() { return has(dnnl::cpu_isa::avx512_core); }

bool has_vnni() { return has(dnnl::cpu_isa::avx512_core_vnni); }

bool has_vbmi() {
#if defined(__x86_64__)
    static const bool has_it = __builtin_cpu_supports("avx512vbmi");
    return has_it && has_avx512();
#else
    return false;
#endif
}

} // namespace lastuse::kernels

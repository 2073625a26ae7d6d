// Which of the kernels that are compiled for several processors run on this one.
#pragma once

namespace lastuse::kernels {

// Whether the kernels compiled for AVX2, FMA and F16C run here. ONEDNN_MAX_CPU_ISA limits them as it limits oneDNN's.
bool has_avx2();

// The same for AVX-512 with the extensions that every oneDNN kernel for it uses.
bool has_avx512();
bool has_vnni(); // of AVX-512
bool has_vbmi(); // of AVX-512

} // namespace lastuse::kernels

// What namespaces of processors define under one name, of the best of them that this processor has.
#if defined(__x86_64__)
#define LASTUSE_BEST_TO_AVX2(name) (has_avx2() ? avx2::name : generic::name)
#define LASTUSE_BEST_TO_AVX512(name) (has_avx512() ? avx512::name : LASTUSE_BEST_TO_AVX2(name))
#else
#define LASTUSE_BEST_TO_AVX2(name) (generic::name)
#define LASTUSE_BEST_TO_AVX512(name) (generic::name)
#endif

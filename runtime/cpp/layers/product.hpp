// Products of matrices by oneDNN within a kernel.
#pragma once

#include <optional>

#include "../core/primitive.hpp"

namespace lastuse::layers {

// A matrix of f32 by its sizes and strides in elements.
Desc matrix(int64_t rows, int64_t columns, int64_t row, int64_t column = 1);

// Whether weights are brought into the layout that oneDNN likes best once, for many runs.
enum class Weights { plain, packed };
// What happens to what the result holds before.
enum class Result { written, added };

// result = rows * weights (+ bias, a row), or that is added to it.
class Product {
public:
    // Throws Error where oneDNN has no such product.
    Product(const Desc &rows, const Desc &weights, const std::optional<Desc> &bias, const Desc &result, Weights how,
            Result kind, int threads);

    int64_t packed_bytes() const { return pack_ ? static_cast<int64_t>(product_.ins[1].get_size()) : 0; }
    int64_t scratch_bytes() const;

    // The weights as `run` reads them: they themselves, or packed at `to`.
    float *pack(dnnl::stream &stream, float *weights, char *to, char *scratch) const;
    void run(dnnl::stream &stream, float *rows, float *weights, float *bias, float *result, char *scratch) const;

private:
    Primitive product_;
    std::optional<Primitive> pack_;
};

} // namespace lastuse::layers

// Products of matrices by oneDNN within a kernel.
#pragma once

#include <optional>
#include <unordered_map>

#include "../core/primitive.hpp"

namespace lastuse::layers {

// A matrix of f32 by its sizes and strides in elements.
Desc matrix(int64_t rows, int64_t columns, int64_t row, int64_t column = 1);

// Whether weights are brought into the layout that oneDNN likes best once, for many runs.
enum class Weights { plain, packed };
// What happens to what the result holds before.
enum class Result { written, added };

// A product with its weights, bias and scratch, for many runs: steps of few rows take less time than to make arguments.
class BoundProduct {
public:
    BoundProduct(const Primitive &product, std::unordered_map<int, dnnl::memory> arguments)
        : handle_(product.handle), moves_stack_(product.moves_stack), threads_(product.threads),
          arguments_(std::move(arguments)) {}

    void run(dnnl::stream &stream, float *rows, float *result) const;

private:
    dnnl::primitive handle_;
    bool moves_stack_;
    int threads_;
    std::unordered_map<int, dnnl::memory> arguments_;
};

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
    BoundProduct bind(float *weights, float *bias, char *scratch) const;
    void run(dnnl::stream &stream, float *rows, float *weights, float *bias, float *result, char *scratch) const {
        bind(weights, bias, scratch).run(stream, rows, result);
    }

private:
    Primitive product_;
    std::optional<Primitive> pack_;
};

} // namespace lastuse::layers

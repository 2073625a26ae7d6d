#include "rows.hpp"

#include "elements.hpp"
#include "tiles.hpp"

namespace lastuse {

void gather_rows(const StridedRows &shape, const char *from, char *dense) {
    const int64_t bytes = shape.columns * shape.item;
    if (shape.row_stride == shape.item && shape.stride > shape.item && shape.rows > 1) {
        transpose({shape.columns, shape.rows, shape.stride, bytes}, shape.item, from, dense);
        return;
    }
    by_item(shape.item, [&](auto element) {
        using Element = decltype(element);
        for (int64_t row = 0; row < shape.rows; ++row)
            copy_axis<Element>(shape.columns, from + row * shape.row_stride, shape.stride, dense + row * bytes, sizeof(Element));
    });
}

void scatter_rows(const StridedRows &shape, const char *dense, char *to) {
    const int64_t bytes = shape.columns * shape.item;
    by_item(shape.item, [&](auto element) {
        using Element = decltype(element);
        for (int64_t row = 0; row < shape.rows; ++row)
            copy_axis<Element>(shape.columns, dense + row * bytes, sizeof(Element), to + row * shape.row_stride, shape.stride);
    });
}

} // namespace lastuse

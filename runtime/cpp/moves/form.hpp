// What a strided array is: the type of its elements, their number along each axis, and how far apart they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lastuse {

// bool has elements 0 and 1.
enum class Type { f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8, boolean, other };

// Strides are in bytes.
struct Form {
    Type type;
    std::vector<int64_t> shape, strides;

    int64_t elements() const;
    int64_t item() const; // bytes of an element; throws Error where they are not known
    bool is_dense() const;
};

struct Array {
    const Form *form;
    char *data;

    size_t rank() const { return form->shape.size(); }
    int64_t size(size_t axis) const { return form->shape[axis]; }
    int64_t elements() const { return form->elements(); }
    bool is(Type type) const { return form->type == type; }
    template <class Element>
    Element *elements_of() const {
        return reinterpret_cast<Element *>(data);
    }
};

} // namespace lastuse

#include "form.hpp"

#include "../support.hpp"

namespace lastuse {

int64_t Form::elements() const {
    int64_t count = 1;
    for (const int64_t size : shape)
        count *= size;
    return count;
}

int64_t Form::item() const {
    switch (type) {
    case Type::f64:
    case Type::i64:
    case Type::u64:
        return 8;
    case Type::f32:
    case Type::i32:
    case Type::u32:
        return 4;
    case Type::f16:
    case Type::bf16:
    case Type::i16:
    case Type::u16:
        return 2;
    case Type::i8:
    case Type::u8:
    case Type::boolean:
        return 1;
    case Type::other:
        break;
    }
    throw Error("elements of this type have no size that is known");
}

bool Form::is_dense() const {
    int64_t step = item();
    for (size_t axis = shape.size(); axis-- > 0; step *= shape[axis])
        if (shape[axis] != 1 && strides[axis] != step)
            return elements() == 0;
    return true;
}

} // namespace lastuse

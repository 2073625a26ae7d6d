#include "view_layout.hpp"

#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace lastuse {

namespace {

Type type_of(const py::dtype &dtype) {
    static const std::unordered_map<std::string, Type> types = {
        {"float64", Type::f64}, {"float32", Type::f32}, {"float16", Type::f16}, {"bfloat16", Type::bf16},
        {"int64", Type::i64},   {"int32", Type::i32},   {"int16", Type::i16},   {"int8", Type::i8},
        {"uint64", Type::u64},  {"uint32", Type::u32},  {"uint16", Type::u16},  {"uint8", Type::u8},
        {"bool", Type::boolean},
    };
    const auto entry = types.find(dtype_name(dtype));
    const bool is_known = entry != types.end() && dtype.attr("isnative").cast<bool>(); // not in another order of bytes
    return is_known ? entry->second : Type::other;
}

// What tells layouts apart that are no opaque ones.
struct Hash {
    size_t operator()(const ViewLayout *layout) const {
        size_t hash = std::hash<const void *>()(layout->dtype.ptr());
        for (const Dims *dims : {&layout->form.shape, &layout->form.strides})
            for (const int64_t number : *dims)
                hash = hash * 31 + std::hash<int64_t>()(number);
        return hash;
    }
};
struct Equal {
    bool operator()(const ViewLayout *a, const ViewLayout *b) const {
        return a->dtype.is(b->dtype) && a->form.shape == b->form.shape && a->form.strides == b->form.strides;
    }
};

// The layouts that views have; never destroyed, as views may outlive main.
using Known = std::unordered_set<const ViewLayout *, Hash, Equal>;
Known &known_layouts() {
    static auto *const known = new Known;
    return *known;
}

} // namespace

std::string dtype_name(const py::dtype &dtype) {
    // Python code computes it. Numbers tell numeric types apart, and those that packages add; dates have one for all units.
    constexpr int objects = 17, half = 23, added = 256;
    static auto *const names = new std::unordered_map<int, std::string>;
    const int number = dtype.num();
    if (number >= objects && number != half && number < added)
        return py::str(dtype.attr("name"));
    auto found = names->find(number);
    if (found == names->end())
        found = names->emplace(number, py::str(dtype.attr("name"))).first;
    return found->second;
}

Form form_of(const py::dtype &dtype, Dims shape, Dims strides) {
    return {type_of(dtype), std::move(shape), std::move(strides)};
}

ViewLayout::ViewLayout(py::dtype of, Form has, std::optional<Desc> is)
    : dtype(std::move(of)), form(std::move(has)), opaque(std::move(is)) {}

std::shared_ptr<const ViewLayout> ViewLayout::of(const py::dtype &dtype, Dims shape, Dims strides) {
    auto made = std::make_unique<ViewLayout>(dtype, Form{Type::other, std::move(shape), std::move(strides)}, std::nullopt);
    Known &known = known_layouts();
    if (const auto found = known.find(made.get()); found != known.end())
        return (*found)->shared_from_this();
    made->form.type = type_of(dtype);
    const std::shared_ptr<const ViewLayout> kept(made.release(), [](const ViewLayout *layout) {
        known_layouts().erase(layout);
        delete layout;
    });
    known.insert(kept.get());
    return kept;
}

std::shared_ptr<const ViewLayout> ViewLayout::of(const Desc &desc) {
    return std::make_shared<const ViewLayout>(py::dtype("uint8"), Form{Type::u8, {}, {}}, desc);
}

bool ViewLayout::is(const Desc &desc) const {
    if (opaque)
        return same_elements(*opaque, desc);
    Dims strides = form.strides;
    for (auto &stride : strides) {
        if (stride % item() != 0)
            return false;
        stride /= item();
    }
    try {
        return same_elements(strided(dtype_name(dtype), form.shape, strides), desc);
    } catch (const std::exception &) {
        return false; // oneDNN has no such layout: types or axes that it does not know, strides that go back or overlap
    }
}

int64_t ViewLayout::bytes() const {
    return opaque ? static_cast<int64_t>(opaque->get_size()) : form.elements() * item();
}

} // namespace lastuse

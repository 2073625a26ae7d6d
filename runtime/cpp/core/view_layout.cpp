#include "view_layout.hpp"

#include <functional>
#include <set>
#include <unordered_map>
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

// The layouts that views have, but for opaque ones; never destroyed, as views may outlive main. A tree: a table would take
// as much again when it grows.
using Known = std::set<ViewLayout, ViewLayout::Less>;
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

bool ViewLayout::Less::operator()(const ViewLayout &a, const ViewLayout &b) const {
    if (!a.dtype.is(b.dtype))
        return std::less<const void *>()(a.dtype.ptr(), b.dtype.ptr());
    return a.form.shape != b.form.shape ? a.form.shape < b.form.shape : a.form.strides < b.form.strides;
}

SharedLayout ViewLayout::of(const py::dtype &dtype, Dims shape, Dims strides) {
    ViewLayout asked(dtype, {Type::other, std::move(shape), std::move(strides)});
    Known &known = known_layouts();
    if (const auto found = known.find(asked); found != known.end())
        return SharedLayout(&*found);
    asked.form.type = type_of(dtype);
    return SharedLayout(&*known.insert(std::move(asked)).first);
}

SharedLayout ViewLayout::of(const Desc &desc) {
    auto made = std::make_unique<ViewLayout>(py::dtype("uint8"), Form{Type::u8, {}, {}});
    made->opaque = std::make_unique<const Desc>(desc);
    return SharedLayout(made.release());
}

SharedLayout::~SharedLayout() {
    if (!layout_ || --layout_->holders > 0)
        return;
    if (layout_->opaque)
        delete layout_;
    else
        known_layouts().erase(*layout_);
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

// How the elements of a view lie, which equal views of all programs have in common.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "../moves/form.hpp"
#include "primitive.hpp"

namespace lastuse {

namespace py = pybind11;

// numpy's name of an element type: "float32".
std::string dtype_name(const py::dtype &dtype);

// The form of an array with these strides in bytes.
Form form_of(const py::dtype &dtype, Dims shape, Dims strides);

class SharedLayout;

struct ViewLayout {
    py::dtype dtype;
    Form form;
    std::unique_ptr<const Desc> opaque; // of bytes whose order oneDNN knows alone; the form has no axes then
    mutable int holders = 0;            // counted with the GIL

    ViewLayout(py::dtype of, Form has) : dtype(std::move(of)), form(std::move(has)) {}

    // By what tells layouts apart that are no opaque ones.
    struct Less {
        bool operator()(const ViewLayout &a, const ViewLayout &b) const;
    };

    // The layout of elements of this type, sizes, and strides in bytes: the same object as long as a view has it.
    static SharedLayout of(const py::dtype &dtype, Dims shape, Dims strides);

    // All bytes of `desc`.
    static SharedLayout of(const Desc &desc);

    bool is(const Desc &desc) const; // it has the same bytes for each element
    int64_t item() const { return dtype.itemsize(); } // bytes of an element
    int64_t bytes() const;                            // of all elements
};

// Holds a layout, which goes with the last one. The GIL is held where one is made, copied or destroyed.
class SharedLayout {
public:
    explicit SharedLayout(const ViewLayout *layout) : layout_(layout) { ++layout_->holders; }
    SharedLayout(const SharedLayout &other) : SharedLayout(other.layout_) {}
    SharedLayout(SharedLayout &&other) noexcept : layout_(std::exchange(other.layout_, nullptr)) {}
    SharedLayout &operator=(SharedLayout other) noexcept {
        std::swap(layout_, other.layout_);
        return *this;
    }
    ~SharedLayout();

    const ViewLayout *operator->() const { return layout_; }
    const ViewLayout &operator*() const { return *layout_; }
    bool operator==(const SharedLayout &other) const { return layout_ == other.layout_; }

private:
    const ViewLayout *layout_;
};

} // namespace lastuse

// How the elements of a view lie, which equal views of all programs have in common.
#pragma once

#include <memory>
#include <optional>
#include <string>

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

struct ViewLayout : std::enable_shared_from_this<ViewLayout> {
    py::dtype dtype;
    Form form;
    std::optional<Desc> opaque; // of bytes whose order oneDNN knows alone; the form has no axes then

    ViewLayout(py::dtype dtype, Form form, std::optional<Desc> opaque);

    // The layout of elements of this type, sizes, and strides in bytes: the same object as long as a view has it.
    // The GIL is held, here and where the last view lets go of it.
    static std::shared_ptr<const ViewLayout> of(const py::dtype &dtype, Dims shape, Dims strides);

    // All bytes of `desc`.
    static std::shared_ptr<const ViewLayout> of(const Desc &desc);

    bool is(const Desc &desc) const; // it has the same bytes for each element
    int64_t item() const { return dtype.itemsize(); } // bytes of an element
    int64_t bytes() const;                            // of all elements
};

} // namespace lastuse

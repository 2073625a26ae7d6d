// How errors call a step.
#pragma once

#include <string>
#include <string_view>

#include <pybind11/pybind11.h>

namespace lastuse {

namespace py = pybind11;

// The memory of a Python string, which programs of one model for several sizes share. Made and freed with the GIL, read
// without it.
class StepName {
public:
    StepName() = default; // of jumps that the program adds itself
    StepName(py::str text);
    StepName(const std::string &text) : StepName(py::str(text)) {}

    bool is_empty() const { return text_.empty(); }
    const py::object &object() const { return owner_; }
    operator std::string_view() const { return text_; }
    friend std::string operator+(const StepName &name, std::string_view rest) {
        return std::string(name.text_).append(rest);
    }

private:
    py::object owner_;
    std::string_view text_;
};

} // namespace lastuse

template <>
struct pybind11::detail::type_caster<lastuse::StepName> {
    PYBIND11_TYPE_CASTER(lastuse::StepName, const_name("str"));

    bool load(handle source, bool) {
        if (!isinstance<str>(source))
            return false;
        value = lastuse::StepName(reinterpret_borrow<str>(source));
        return true;
    }
};

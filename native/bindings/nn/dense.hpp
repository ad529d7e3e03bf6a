// Arrays of features as the passes of a layer take them, and their sizes checked.
#pragma once

#include <string>

#include "bindings/common.hpp"

namespace grape::python {

template <class T>
using Dense = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;
template <class T>
using Target = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

// A wrong size would make the pass read beyond the array.
template <class Array>
void check_size(const Array& array, Offset expected, const char* name) {
    if (static_cast<Offset>(array.size()) != expected)
        throw nb::value_error((std::string(name) + " has the wrong size").c_str());
}

}  // namespace grape::python

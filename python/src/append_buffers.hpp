// Append buffers, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace boxcar::python {

void define_append_buffers(nanobind::module_& m);

}  // namespace boxcar::python

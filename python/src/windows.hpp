// Windows, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace boxcar::python {

void define_windows(nanobind::module_& m);

}  // namespace boxcar::python

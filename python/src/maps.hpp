// Distributed maps, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace boxcar::python {

void define_maps(nanobind::module_& m);

}  // namespace boxcar::python

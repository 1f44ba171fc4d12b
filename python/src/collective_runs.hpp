// Collectives that proceed while the program computes, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace boxcar::python {

void define_collective_runs(nanobind::module_& m);

}  // namespace boxcar::python

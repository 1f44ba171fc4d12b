// Translates the exceptions of Boxcar to exceptions of the package.
#pragma once

namespace boxcar::python {

// To be called once, when the module is imported.
void translate_errors();

}  // namespace boxcar::python

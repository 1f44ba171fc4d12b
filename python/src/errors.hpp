// Translates the exceptions of Boxcar to exceptions of the package.
#pragma once

namespace boxcar::python {

// Called once, when the module is imported.
void translate_errors();

}  // namespace boxcar::python

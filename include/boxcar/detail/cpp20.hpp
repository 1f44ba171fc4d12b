// Ends the compilation of a program that is compiled as C++17 or older. Every public header
// includes this header first, before it includes anything that such a compiler cannot read.
#pragma once

#if __cplusplus < 202002L
// There is no such file: the compiler says its name, and stops. An #error would be followed by
// errors about all that stands behind it.
#include <Boxcar needs C++20: give the compiler the option -std=c++20>
#endif

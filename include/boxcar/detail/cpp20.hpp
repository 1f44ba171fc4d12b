// The header ends the compilation of a program as C++17 or older, and the linking of a program with
// other containers or other instrumentation than the library. Every public header includes
// cpp20.hpp first, before anything that an older compiler cannot read.
#pragma once

#if __cplusplus < 202002L
// No file has the name: the compiler reports the name, and stops. After an #error, the compiler
// would report errors about the rest of the header.
#include <Boxcar needs C++20: give the compiler the option -std=c++20>
#endif

#ifdef _GLIBCXX_DEBUG
// The containers of the standard library have other sizes with _GLIBCXX_DEBUG, and programs and the
// library pass containers to each other. The function exists only in a library that is compiled
// with _GLIBCXX_DEBUG: with another library, the linker reports its name.
namespace boxcar::detail {
void GLIBCXX_DEBUG_must_be_defined_for_the_library_as_for_the_program();
[[gnu::used]] inline void (*const require_same_containers)() =
    GLIBCXX_DEBUG_must_be_defined_for_the_library_as_for_the_program;
}  // namespace boxcar::detail
#endif

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define BOXCAR_HAS_THREAD_SANITIZER
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define BOXCAR_HAS_THREAD_SANITIZER
#endif

#ifdef BOXCAR_HAS_THREAD_SANITIZER
// ThreadSanitizer sees the accesses of a program to memory of the library, but not the atomic
// operations by which a library without ThreadSanitizer orders the accesses, and would report false
// races. The function exists only in a library that is compiled with -fsanitize=thread: with
// another library, the linker reports its name.
namespace boxcar::detail {
void ThreadSanitizer_must_be_used_for_the_library_as_for_the_program();
[[gnu::used]] inline void (*const require_same_sanitizer)() =
    ThreadSanitizer_must_be_used_for_the_library_as_for_the_program;
}  // namespace boxcar::detail
#endif

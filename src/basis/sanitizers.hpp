// Macros for the sanitizers that the library is compiled with, by GCC or Clang.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BOXCAR_WITH_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define BOXCAR_WITH_THREAD_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define BOXCAR_WITH_ADDRESS_SANITIZER
#endif
#if defined(__SANITIZE_THREAD__)
#define BOXCAR_WITH_THREAD_SANITIZER
#endif

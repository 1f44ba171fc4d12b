// The sanitizers of the tests' build. (UndefinedBehaviorSanitizer comes with AddressSanitizer.)
#pragma once

#ifndef __has_feature
#define __has_feature(x) 0
#endif

namespace boxcar::test {

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
inline constexpr bool with_address_sanitizer = true;
#else
inline constexpr bool with_address_sanitizer = false;
#endif

#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
inline constexpr bool with_thread_sanitizer = true;
#else
inline constexpr bool with_thread_sanitizer = false;
#endif

inline constexpr bool with_sanitizer = with_address_sanitizer || with_thread_sanitizer;

}  // namespace boxcar::test

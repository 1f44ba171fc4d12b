// With what the tests are built. (UndefinedBehaviorSanitizer is built in with AddressSanitizer.)
#pragma once

namespace boxcar::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool with_address_sanitizer = true;
#elif !defined(__has_feature)
inline constexpr bool with_address_sanitizer = false;
#elif __has_feature(address_sanitizer)
inline constexpr bool with_address_sanitizer = true;
#else
inline constexpr bool with_address_sanitizer = false;
#endif

}  // namespace boxcar::test

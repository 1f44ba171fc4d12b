# Precompiled headers of the standard library. A translation unit of Boxcar spends a second on the headers of the
# standard library; with the precompiled header the compiler loads them in a fifth of that time.
#
# Each source file still includes the headers that it uses: a build with CMAKE_UNITY_BUILD=OFF has no precompiled
# header and shows a missing include.

# Only GCC: the sanitizer builds of Clang have other options for some folders, and Clang refuses a precompiled header
# with other options. A compiler cache does not work with precompiled headers, unless it is configured for them.
if(boxcar_unity_build AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(boxcar_has_precompiled_headers ON)
else()
  set(boxcar_has_precompiled_headers OFF)
endif()

# Position-independent code needs a precompiled header of its own.
function(boxcar_add_precompiled_header target)
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/precompiled_headers.cpp)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_link_libraries(${target} PRIVATE Threads::Threads boxcar_warnings)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <atomic> <chrono> <cstddef> <cstdint> <cstring> <exception> <functional> <limits> <map>
    <memory> <mutex> <optional> <span> <string> <string_view> <utility> <vector>)
endfunction()

# boxcar_precompile_headers(<target>)
# The C++ sources of the target use the precompiled header. Properties of the target that have to do with
# position-independent code are to be set before.
function(boxcar_precompile_headers target)
  if(NOT boxcar_has_precompiled_headers)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  get_target_property(is_pic ${target} POSITION_INDEPENDENT_CODE)
  if(type STREQUAL "SHARED_LIBRARY" OR (is_pic AND NOT type STREQUAL "EXECUTABLE"))
    target_precompile_headers(${target} REUSE_FROM boxcar_precompiled_header_pic)
  elseif(NOT is_pic)
    target_precompile_headers(${target} REUSE_FROM boxcar_precompiled_header)
  endif()
endfunction()

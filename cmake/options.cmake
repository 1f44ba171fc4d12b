# Within another project, that one decides.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(BOXCAR_WERROR "Treat compiler warnings as errors" OFF)
set(BOXCAR_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. thread or address,undefined")

add_library(boxcar_warnings INTERFACE)
target_compile_options(boxcar_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${BOXCAR_WERROR}>:-Werror>)

if(BOXCAR_SANITIZE)
  add_compile_options(-fsanitize=${BOXCAR_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${BOXCAR_SANITIZE})
endif()

option(BOXCAR_TOOLS "Build the `boxcar` command" ${PROJECT_IS_TOP_LEVEL})
option(BOXCAR_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(BOXCAR_TESTS "Build the tests (needs GoogleTest)" OFF)
option(BOXCAR_PYTHON "Build the Python package, as pip does, instead of what is to be installed" OFF)
# A wait that ends after a millisecond in any case hides wake-ups that are missing. With this option
# it does not end, where somebody is to ring; and PEs that hang are looked for only where
# BOXCAR_STALL_SECONDS says so.
option(BOXCAR_WAIT_FOR_EVER "For tests: wait for ever rather than without a wake-up" OFF)

# A third of the time to compile the library: with a sanitizer, and where pip builds it. All other builds
# compile each source as it stands: it includes what it needs.
if(BOXCAR_SANITIZE)
  set(BOXCAR_PARSE_HEADERS_ONCE ON)
endif()
option(BOXCAR_PARSE_HEADERS_ONCE "Precompile the headers of the standard library" OFF)

# boxcar_parse_headers_once(<target>): so that the sources of a target do not parse them one by one.
function(boxcar_parse_headers_once target)
  if(BOXCAR_PARSE_HEADERS_ONCE)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <atomic> <chrono> <functional>
      <map> <memory> <optional> <span> <string> <vector>)
  endif()
endfunction()

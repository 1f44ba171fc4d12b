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
option(BOXCAR_LIBFABRIC "Build the library for libfabric, if libfabric is found" ON)
option(BOXCAR_SIMULATED "Build the simulated machine, if Boost.Context is found" ON)
option(BOXCAR_PYTHON "Build the Python package, as pip does, instead of what is to be installed" OFF)
option(BOXCAR_PYTHON_CPP "Put what C++ programs need into the Python package, too" OFF)
# Whether what is installed has headers, libraries and the files of CMake.
set(boxcar_serves_cpp ON)
if(BOXCAR_PYTHON AND NOT BOXCAR_PYTHON_CPP)
  set(boxcar_serves_cpp OFF)
endif()
# A wait that ends after a millisecond in any case hides wake-ups that are missing. With this option
# it does not end, where somebody is to ring; and PEs that hang are looked for only where
# BOXCAR_STALL_SECONDS says so.
option(BOXCAR_WAIT_FOR_EVER "For tests: wait for ever rather than without a wake-up" OFF)


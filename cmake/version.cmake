# The version stands in two places, project(VERSION) and the header, so that a program can see it
# without CMake. Configuring fails if the two differ.
file(READ ${PROJECT_SOURCE_DIR}/include/boxcar/version.hpp header)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/include/boxcar/version.hpp)

math(EXPR number
  "10000 * ${PROJECT_VERSION_MAJOR} + 100 * ${PROJECT_VERSION_MINOR} + ${PROJECT_VERSION_PATCH}")
foreach(expected IN ITEMS "BOXCAR_VERSION ${number}\n" "version = \"${PROJECT_VERSION}\";")
  string(FIND "${header}" "${expected}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "include/boxcar/version.hpp is not in step with project(VERSION "
      "${PROJECT_VERSION}): it should say\n${expected}")
  endif()
endforeach()

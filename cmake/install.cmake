# What `cmake --install` puts where: the library, that of the C interface, the public headers, the
# `boxcar` command, and what CMake and pkg-config need to find them. The whole tree may be moved after
# it is installed.
include(CMakePackageConfigHelpers)
include(cmake/version.cmake)

set_target_properties(boxcar boxcar_convey PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
# A shared library and the command find the libraries beside which they are installed.
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
get_property(substrates GLOBAL PROPERTY BOXCAR_SUBSTRATE_LIBRARIES)
set_target_properties(boxcar boxcar_convey ${substrates} PROPERTIES INSTALL_RPATH $ORIGIN)
if(TARGET boxcar_tool)
  set_target_properties(boxcar_tool PROPERTIES INSTALL_RPATH $ORIGIN/${bin_to_lib})
  install(TARGETS boxcar_tool)
  get_property(baselines GLOBAL PROPERTY BOXCAR_BASELINE_LIBRARIES)
  if(baselines)
    install(TARGETS ${baselines})
  endif()
  install(FILES bench/schema.json RENAME bench.schema.json
    DESTINATION ${CMAKE_INSTALL_DATADIR}/boxcar)
endif()

# A program finds the libraries that are opened when it runs, unless the loader looks there anyway.
file(RELATIVE_PATH prefix_to_lib ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
if(NOT CMAKE_INSTALL_FULL_LIBDIR IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
  target_link_options(boxcar INTERFACE
    "$<INSTALL_INTERFACE:LINKER:-rpath,$<INSTALL_PREFIX>/${prefix_to_lib}>")
  set(run_path "-Wl,-rpath,\${libdir} ")
endif()

install(TARGETS boxcar boxcar_convey ${substrates} EXPORT boxcar-targets)
install(DIRECTORY include/boxcar TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md TYPE DOC)
install(DIRECTORY docs TYPE DOC)

# find_package(boxcar)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/boxcar)
install(EXPORT boxcar-targets NAMESPACE boxcar:: DESTINATION ${package_dir})
configure_package_config_file(cmake/boxcar-config.cmake.in boxcar-config.cmake
  INSTALL_DESTINATION ${package_dir})
# While the major version is 0, the interface may change with every minor version.
write_basic_package_version_file(boxcar-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/boxcar-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/boxcar-config-version.cmake
  DESTINATION ${package_dir})

# pkg-config boxcar, boxcar-convey
set(pkgconfig_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${pkgconfig_dir}
  OUTPUT_VARIABLE pkgconfig_to_prefix)
file(RELATIVE_PATH prefix_to_include ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
foreach(package IN ITEMS boxcar boxcar-convey)
  configure_file(cmake/${package}.pc.in ${package}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${package}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

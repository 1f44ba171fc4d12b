# What `cmake --install` puts where: the library, those of the C interfaces, the public headers, the
# `boxcar` command, and what CMake and pkg-config need to find them. The whole tree may be moved after
# it is installed.
include(CMakePackageConfigHelpers)
include(cmake/version.cmake)

set(libraries boxcar boxcar_convey boxcar_openshmem)
foreach(optional IN ITEMS boxcar_shmemx boxcar_simulated)
  if(TARGET ${optional})
    list(APPEND libraries ${optional})
  endif()
endforeach()
set_target_properties(${libraries} PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
# A shared library and the command find the libraries beside which they are installed.
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
get_property(substrates GLOBAL PROPERTY BOXCAR_SUBSTRATE_LIBRARIES)
set_target_properties(${libraries} ${substrates} PROPERTIES INSTALL_RPATH $ORIGIN)
if(TARGET boxcar_tool)
  set_target_properties(boxcar_tool PROPERTIES INSTALL_RPATH $ORIGIN/${bin_to_lib})
  install(TARGETS boxcar_tool)
  if(TARGET boxcar_simulator)
    set_target_properties(boxcar_simulator boxcar_planner PROPERTIES
      INSTALL_RPATH $ORIGIN/${bin_to_lib})
    install(TARGETS boxcar_simulator boxcar_planner)
    install(DIRECTORY networks DESTINATION share/boxcar FILES_MATCHING PATTERN "*.network")
  endif()
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

install(TARGETS ${libraries} boxcar_headers ${substrates} EXPORT boxcar-targets)
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

# pkg-config boxcar, boxcar-convey, boxcar-openshmem, boxcar-shmemx
set(pkgconfig_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${pkgconfig_dir}
  OUTPUT_VARIABLE pkgconfig_to_prefix)
file(RELATIVE_PATH prefix_to_include ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
function(boxcar_install_pc template name)
  configure_file(cmake/${template} ${name} @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
boxcar_install_pc(boxcar.pc.in boxcar.pc)

# boxcar_install_c_pc(<package> <description> <what it is linked with> <folder of headers>...)
function(boxcar_install_c_pc package description libraries)
  list(TRANSFORM ARGN PREPEND "-I\${includedir}/boxcar/")
  list(JOIN ARGN " " includes)
  if(libraries)
    string(APPEND includes " -pthread")
  endif()
  boxcar_install_pc(boxcar-c.pc.in boxcar-${package}.pc)
endfunction()
string(CONCAT with_boxcar " -lboxcar -lstdc++ -lm -pthread -ldl"
  " -Wl,--export-dynamic-symbol=_end -Wl,--export-dynamic-symbol=data_start")
boxcar_install_c_pc(convey "The C interface of Boxcar: convey.h" "${with_boxcar}" convey-c)
boxcar_install_c_pc(openshmem "A part of OpenSHMEM on Boxcar: shmem.h, boxcar_shmemx.h"
  "${with_boxcar}" openshmem-c shmemx-c)
if(TARGET boxcar_shmemx)
  boxcar_install_c_pc(shmemx "Counting puts and append for OpenSHMEM: boxcar_shmemx.h" "" shmemx-c)
endif()

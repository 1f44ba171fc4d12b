# What `cmake --install` puts where: the library, those of the C interfaces, the public headers, the
# `boxcar` command, and what CMake and pkg-config need to find them. The whole tree may be moved after
# it is installed. In the Python package, the tree is the folder of the package.
include(CMakePackageConfigHelpers)
include(cmake/version.cmake)

get_property(libraries GLOBAL PROPERTY BOXCAR_COMPONENTS)
list(APPEND libraries boxcar boxcar_shared boxcar_aml boxcar_convey boxcar_openshmem)
foreach(optional IN ITEMS boxcar_shmemx boxcar_simulated)
  if(TARGET ${optional})
    list(APPEND libraries ${optional})
  endif()
endforeach()
if(NOT BOXCAR_PYTHON)  # a wheel has no links: each name of a library would be a copy
  set_target_properties(${libraries} PROPERTIES
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endif()
# A shared library and the command find the libraries beside which they are installed.
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
get_property(substrates_opened GLOBAL PROPERTY BOXCAR_SUBSTRATE_LIBRARIES)
set_target_properties(${libraries} ${substrates_opened} PROPERTIES INSTALL_RPATH $ORIGIN)
if(TARGET boxcar_tool)
  get_property(commands GLOBAL PROPERTY BOXCAR_COMMANDS)
  set_target_properties(${commands} PROPERTIES INSTALL_RPATH $ORIGIN/${bin_to_lib})
  install(TARGETS ${commands})
  if(TARGET boxcar_simulated)
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
if(BOXCAR_PYTHON OR NOT CMAKE_INSTALL_FULL_LIBDIR IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
  foreach(library IN ITEMS boxcar_substrates boxcar_shared)
    target_link_options(${library} INTERFACE
      "$<INSTALL_INTERFACE:LINKER:-rpath,$<INSTALL_PREFIX>/${prefix_to_lib}>")
  endforeach()
  set(run_path "-Wl,-rpath,\${libdir} ")
endif()

install(TARGETS ${libraries} boxcar_headers ${substrates_opened} EXPORT boxcar-targets)
install(DIRECTORY include/boxcar TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
if(NOT BOXCAR_PYTHON)
  install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md TYPE DOC)
  install(DIRECTORY docs TYPE DOC)
endif()

# find_package(boxcar)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/boxcar)
set(component_names ${libraries} ${substrates_opened})
list(REMOVE_ITEM component_names boxcar)
if(BOXCAR_PYTHON)
  add_dependencies(boxcar_python_package ${component_names})
endif()
list(TRANSFORM component_names REPLACE "^boxcar_" "")
list(JOIN component_names ", " component_names)
install(EXPORT boxcar-targets NAMESPACE boxcar:: DESTINATION ${package_dir})
configure_package_config_file(cmake/boxcar-config.cmake.in boxcar-config.cmake
  INSTALL_DESTINATION ${package_dir})
# While the major version is 0, the interface may change with every minor version.
write_basic_package_version_file(boxcar-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/boxcar-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/boxcar-config-version.cmake
  DESTINATION ${package_dir})

# pkg-config: a package for each component, called boxcar-<component>, and boxcar for all of them by one name.
set(pkgconfig_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${pkgconfig_dir}
  OUTPUT_VARIABLE pkgconfig_to_prefix)
file(RELATIVE_PATH prefix_to_include ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})

# boxcar_install_pc(<package> <description> [LIBRARIES <word>...] [REQUIRES <package>...] [FOLDERS <folder>...])
# FOLDERS: those of include/boxcar in which a program in C finds its headers.
function(boxcar_install_pc package description)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LIBRARIES;REQUIRES;FOLDERS")
  set(includes "-I\${includedir}")
  foreach(folder IN LISTS arg_FOLDERS)
    list(APPEND includes "-I\${includedir}/boxcar/${folder}")
  endforeach()
  list(JOIN includes " " includes)
  list(JOIN arg_REQUIRES " " requires)
  list(JOIN arg_LIBRARIES " " libraries)
  configure_file(cmake/boxcar.pc.in ${package}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# The symbols that a program shows stand in a file: their names have an asterisk, which pkg-config writes as \*, and the
# linker would receive that from a shell's $(pkg-config --libs boxcar).
list(JOIN boxcar_shown_symbols ";\n  " symbols)
file(CONFIGURE OUTPUT shown_symbols.list CONTENT "{\n  @symbols@;\n};\n" @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/shown_symbols.list DESTINATION ${CMAKE_INSTALL_LIBDIR}/boxcar)
set(shown "-Wl,--export-dynamic-symbol-list=\${libdir}/boxcar/shown_symbols.list")
set(shared -lboxcar -pthread ${shown})
boxcar_install_pc(boxcar-shared "Boxcar as a shared library" LIBRARIES ${shared})
if(BUILD_SHARED_LIBS)
  boxcar_install_pc(boxcar "${PROJECT_DESCRIPTION}" LIBRARIES ${shared})
  foreach(component IN ITEMS substrates core streams one_sided collectives collections planner)
    boxcar_install_pc(boxcar-${component} "Boxcar: ${component}" LIBRARIES ${shared})
  endforeach()
  set(core ${shared})
  set(streams ${shared})
  set(one_sided ${shared})
else()
  set(substrates -lboxcar_substrates -pthread -ldl ${shown})
  boxcar_install_pc(boxcar-substrates "Boxcar: the connection of PEs" LIBRARIES ${substrates})
  boxcar_install_pc(boxcar-core "Boxcar: worlds, conveyors, exchange, routes"
    LIBRARIES -lboxcar_core REQUIRES boxcar-substrates)
  boxcar_install_pc(boxcar-streams "Boxcar: streams" LIBRARIES -lboxcar_streams REQUIRES boxcar-core)
  boxcar_install_pc(boxcar-one_sided "Boxcar: windows, counters, append buffers"
    LIBRARIES -lboxcar_one_sided REQUIRES boxcar-core)
  boxcar_install_pc(boxcar-collectives "Boxcar: collectives, schedules, triggers"
    LIBRARIES -lboxcar_collectives REQUIRES boxcar-one_sided)
  boxcar_install_pc(boxcar-collections "Boxcar: objects that move, remote functions, maps"
    LIBRARIES -lboxcar_collections REQUIRES boxcar-streams boxcar-collectives)
  boxcar_install_pc(boxcar-planner "Boxcar: settings of conveyors for a machine"
    LIBRARIES -lboxcar_planner REQUIRES boxcar-core)
  boxcar_install_pc(boxcar "${PROJECT_DESCRIPTION}"
    REQUIRES boxcar-collections boxcar-planner)
  set(core -lboxcar_core ${substrates})
  set(streams -lboxcar_streams ${core})
  set(one_sided -lboxcar_one_sided ${core})
endif()
if(TARGET boxcar_simulated)
  boxcar_install_pc(boxcar-simulated "Boxcar: PEs of a simulated machine"
    LIBRARIES -lboxcar_simulated -lboost_context REQUIRES boxcar)
endif()
foreach(substrate IN LISTS substrates_opened)
  string(REPLACE boxcar_ "" name ${substrate})
  boxcar_install_pc(boxcar-${name} "Boxcar: what programs that use ${name} themselves call"
    LIBRARIES -l${substrate} REQUIRES boxcar-core)
endforeach()
# (A program in C is linked with the standard library of C++ behind all that needs it.)
boxcar_install_pc(boxcar-convey "The C interface of Boxcar: convey.h"
  LIBRARIES -lboxcar_convey ${core} -lstdc++ -lm FOLDERS convey-c)
boxcar_install_pc(boxcar-aml "AML, the active messages of the Graph500 reference, on Boxcar: aml.h"
  LIBRARIES -lboxcar_aml ${streams} -lstdc++ -lm FOLDERS aml-c)
boxcar_install_pc(boxcar-openshmem "OpenSHMEM on Boxcar: shmem.h, boxcar_shmemx.h"
  LIBRARIES -lboxcar_openshmem ${one_sided} -lstdc++ -lm FOLDERS openshmem-c shmemx-c)
if(TARGET boxcar_shmemx)
  boxcar_install_pc(boxcar-shmemx "Counting puts and append for OpenSHMEM: boxcar_shmemx.h"
    LIBRARIES -lboxcar_shmemx FOLDERS shmemx-c)
endif()

# What the installation has put where it is, for `cmake --build <folder> --target uninstall`.
configure_file(cmake/uninstall.cmake.in uninstall.cmake @ONLY)
add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_BINARY_DIR}/uninstall.cmake COMMENT "" VERBATIM)

# The whole build with BUILD_SHARED_LIBS, and what users build with the package.
set(shared ${CMAKE_CURRENT_BINARY_DIR}/shared)
set(shared_installed ${shared}/installed)
file(MAKE_DIRECTORY ${shared}/pkg_config)

add_test(NAME packaging.shared.build COMMAND ${CMAKE_COMMAND}
  -D SOURCE=${PROJECT_SOURCE_DIR} -D BUILD=${shared}/build -D GENERATOR=${CMAKE_GENERATOR}
  -D C_COMPILER=${CMAKE_C_COMPILER} -D CXX_COMPILER=${CMAKE_CXX_COMPILER} -D WERROR=${BOXCAR_WERROR}
  -P ${CMAKE_CURRENT_SOURCE_DIR}/build_shared.cmake)
set_tests_properties(packaging.shared.build PROPERTIES FIXTURES_SETUP boxcar_shared_built PROCESSORS 2)
boxcar_declare_test(packaging.shared.build LABELS plain TIER nightly SECONDS 3600)

add_test(NAME packaging.shared.install COMMAND ${CMAKE_COMMAND}
  -D BUILD=${shared}/build -D PREFIX=${shared_installed} -P ${CMAKE_CURRENT_SOURCE_DIR}/install.cmake)
set_tests_properties(packaging.shared.install PROPERTIES
  FIXTURES_REQUIRED boxcar_shared_built FIXTURES_SETUP boxcar_shared_installed)
boxcar_declare_test(packaging.shared.install LABELS plain TIER nightly SECONDS 60)

# boxcar_add_shared_package_test(<name> <command>...)
function(boxcar_add_shared_package_test name)
  boxcar_add_package_test(shared.${name} nightly plain ${ARGN})
  set_tests_properties(packaging.shared.${name} PROPERTIES FIXTURES_REQUIRED boxcar_shared_installed)
endfunction()

set(shared_libraries boxcar boxcar_aml boxcar_convey boxcar_openshmem)
if(TARGET boxcar_shmemx)
  list(APPEND shared_libraries boxcar_shmemx)
endif()
boxcar_add_shared_package_test(symbols sh ${CMAKE_CURRENT_SOURCE_DIR}/shared_symbols.sh
  ${shared_installed} ${PROJECT_VERSION} ${shared_libraries})
boxcar_add_shared_package_test(contents sh ${CMAKE_CURRENT_SOURCE_DIR}/contents.sh
  ${PROJECT_SOURCE_DIR} ${shared_installed})
boxcar_add_shared_package_test(pkg_config sh ${CMAKE_CURRENT_SOURCE_DIR}/pkg_config.sh
  ${PKG_CONFIG} ${shared_installed} ${CMAKE_CXX_COMPILER} ${program} ${CMAKE_C_COMPILER} ${program_in_c}
  ${program_for_openshmem})
set_property(TEST packaging.shared.pkg_config PROPERTY WORKING_DIRECTORY ${shared}/pkg_config)

boxcar_user_command(command find_package ${shared}/user -DCMAKE_PREFIX_PATH=${shared_installed})
boxcar_add_shared_package_test(find_package ${command} --test-command sh
  ${CMAKE_CURRENT_SOURCE_DIR}/shared_programs.sh ${shared_installed} ${PROJECT_VERSION})

# Network libraries, which are opened at run time, use the substrates of libboxcar.so.
if(boxcar_launchers)
  set_property(TEST packaging.shared.find_package PROPERTY FIXTURES_SETUP built_with_shared)
  boxcar_add_shared_package_test(find_package_in_jobs ${CMAKE_CURRENT_SOURCE_DIR}/in_jobs.sh
    ${shared}/user/user ${shared}/user/user_in_c ${boxcar_launchers})
  set_property(TEST packaging.shared.find_package_in_jobs PROPERTY
    FIXTURES_REQUIRED "boxcar_shared_installed;built_with_shared")
endif()

# boxcar_budget_test(NAME PROGRAM BUDGET [property value ...]): a test that no case of PROGRAM costs
# more instructions per item than BUDGET allows. There is none where figures would differ for other
# reasons than the source: these are those of GCC 12 for x86-64, optimised, without sanitizers. (GCC
# and Clang of other versions make as fast code, but not the same.)
function(boxcar_budget_test name program budget)
  set(compilers "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}"
    "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  list(FILTER compilers EXCLUDE REGEX "^GNU 12\\.")
  if(compilers OR BOXCAR_SANITIZE OR NOT CMAKE_BUILD_TYPE STREQUAL "Release"
     OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    message(STATUS "No test ${name}: the budget is for GCC 12, x86-64, Release")
    return()
  endif()
  add_test(NAME ${name}
    COMMAND ${PROJECT_SOURCE_DIR}/bench/instructions/measure $<TARGET_FILE:${program}> ${budget})
  # It keeps a core busy for longer than any other test: begun last, it would run alone in the end.
  set_tests_properties(${name} PROPERTIES ${ARGN} SKIP_RETURN_CODE 77 TIMEOUT 600 COST 100)
endfunction()

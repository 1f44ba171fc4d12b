include_guard()
include(${CMAKE_CURRENT_LIST_DIR}/cluster_jobs.cmake)

# A test executable whose cases run on worlds of several shapes. Its cases make up to five tests for
# ctest, each with a label: "threads" and "processes", "threads-slow" and "processes-slow" for worlds
# of 64 PEs, and "plain" for what needs no world. (ctest takes labels as regular expressions: -L
# threads means both, -LE slow leaves the slow ones out.)
# boxcar_add_world_tests(<name> SOURCES <file>... [SLOW] [PLAIN] [THREADS])
# THREADS: there are no worlds of processes among them. In folders of what lies above the substrates,
# where boxcar_above_substrates is set, sanitizers see PEs that are threads only: it is the same code.
function(boxcar_add_world_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SLOW;PLAIN;THREADS" "" "SOURCES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE boxcar_test_support boxcar_warnings GTest::gtest_main)
  target_precompile_headers(${name} REUSE_FROM boxcar_test_support)
  set(substrates threads)
  # ThreadSanitizer sees the accesses of one process only.
  if(NOT (arg_THREADS OR BOXCAR_SANITIZE MATCHES "thread"
          OR (BOXCAR_SANITIZE AND boxcar_above_substrates)))
    list(APPEND substrates processes)
  endif()
  foreach(substrate IN LISTS substrates)
    boxcar_add_selection(${name} ${substrate} "*${substrate}_p*-*_p64_*")
    if(arg_SLOW)
      boxcar_add_selection(${name} ${substrate}-slow "*${substrate}_p64_*")
    endif()
  endforeach()
  if(arg_PLAIN)
    boxcar_add_selection(${name} plain "-*threads_p*:*processes_p*")
  endif()
endfunction()

# A filter that selects nothing is a mistake.
set(boxcar_empty_selection " 0 tests from 0 test suites")

function(boxcar_add_selection name label filter)
  add_test(NAME ${name}.${label} COMMAND ${name} --gtest_brief=1 --gtest_filter=${filter})
  set_tests_properties(${name}.${label} PROPERTIES LABELS ${label} TIMEOUT 1500
    FAIL_REGULAR_EXPRESSION "${boxcar_empty_selection}")
  if(label STREQUAL threads)
    set_property(GLOBAL APPEND PROPERTY BOXCAR_THREAD_TESTS ${name})
  endif()
endfunction()

# boxcar_add_cluster_tests(<name> PES <number>... [NODES <number>])
# The same cases of a test executable as jobs of the launchers of clusters, with so many PEs; NODES:
# only those with so many pretended nodes. tests/nodes runs them, too.
function(boxcar_add_cluster_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NODES" "PES")
  set_property(GLOBAL APPEND PROPERTY BOXCAR_CLUSTER_TESTS ${name})
  set(shapes "cluster_p*")
  if(arg_NODES)
    set(shapes "cluster_p*_n${arg_NODES}*")
  endif()
  foreach(launcher IN LISTS boxcar_launchers)
    foreach(pes IN LISTS arg_PES)
      boxcar_add_cluster_job(${name}.${launcher}_p${pes} ${launcher} ${pes} SECONDS 1000
        COMMAND ${name} --gtest_brief=1 --gtest_filter=*${shapes})
      set_property(TEST ${name}.${launcher}_p${pes}
        PROPERTY FAIL_REGULAR_EXPRESSION "${boxcar_empty_selection}")
    endforeach()
  endforeach()
endfunction()

# boxcar_add_tests_with_progress_threads(<name>)
# The cases of a test executable that have several nodes once more, with a progress thread for each PE.
function(boxcar_add_tests_with_progress_threads name)
  set(test ${name}.with_progress_threads)
  add_test(NAME ${test}.threads COMMAND ${name} --gtest_brief=1 --gtest_filter=*threads_p*-*_n1:*_n1_*)
  set_tests_properties(${test}.threads PROPERTIES
    LABELS threads TIMEOUT 600 ENVIRONMENT BOXCAR_PROGRESS_THREAD=1
    FAIL_REGULAR_EXPRESSION "${boxcar_empty_selection}")
  foreach(launcher IN LISTS boxcar_launchers)
    boxcar_add_cluster_job(${test}.${launcher}_p4 ${launcher} 4 SECONDS 600
      COMMAND ${name} --gtest_brief=1 --gtest_filter=*cluster_p*-*_n1:*_n1_*
      ENVIRONMENT BOXCAR_PROGRESS_THREAD=1)
    set_property(TEST ${test}.${launcher}_p4
      PROPERTY FAIL_REGULAR_EXPRESSION "${boxcar_empty_selection}")
  endforeach()
endfunction()

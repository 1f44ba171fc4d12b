include_guard()
include(${CMAKE_CURRENT_LIST_DIR}/cluster_jobs.cmake)

# Programs that take long. All of their cases run on threads. Where only the substrate is another one,
# fewer do: on processes and with each launcher of clusters every third one, which makes all of them with
# each number of PEs. With 64 PEs every second case runs on threads, and of the others every third one on
# processes.
# Sanitizers see a fifth each, not the same one: what they find does not hang on one case, and every fifth
# takes turns through parameters that have two, three or four values. (tests/nodes runs still fewer.)
set(boxcar_long_programs
  biconveyor_tests collective_test compression_test elastic_tests exchange_test
  exchange_with_replies_test moved_conveyor_test pull_all_test pull_pointer_test
  random_programs_test sessions_test several_conveyors_test started_collective_test
  statistics_test steady_test stream_arrays_test stream_delivery_test stream_handlers_test
  stream_termination_test sub_worlds_test unfinished_session_test unpull_test)

# boxcar_take_share(<test> <shares> <number>): of a test's cases those whose share has this number, or
# this one less a multiple of the shares.
function(boxcar_take_share test shares number)
  if(shares EQUAL 1)
    return()
  endif()
  math(EXPR share "${number} % ${shares}")
  set_property(TEST ${test} APPEND PROPERTY
    ENVIRONMENT GTEST_TOTAL_SHARDS=${shares} GTEST_SHARD_INDEX=${share})
endfunction()

# boxcar_take_share_of_sanitizer(<test> <program>): where a sanitizer sees it, and the program takes long.
function(boxcar_take_share_of_sanitizer test program)
  if(BOXCAR_SANITIZE AND program IN_LIST boxcar_long_programs)
    set(number 0)
    if(BOXCAR_SANITIZE MATCHES "thread")
      set(number 2)
    endif()
    boxcar_take_share(${test} 5 ${number})
  endif()
endfunction()

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
    if(arg_SLOW AND NOT BOXCAR_SANITIZE)  # there are no such worlds with a sanitizer
      boxcar_add_selection(${name} ${substrate}-slow "*${substrate}_p64_*")
    endif()
  endforeach()
  if(arg_PLAIN)
    boxcar_add_selection(${name} plain "-*threads_p*:*processes_p*:*simulated_p*")
  endif()
endfunction()

# A filter that selects nothing is a mistake.
set(boxcar_empty_selection " 0 tests from 0 test suites")

function(boxcar_add_selection name label filter)
  add_test(NAME ${name}.${label} COMMAND ${name} --gtest_brief=1 --gtest_filter=${filter})
  set_tests_properties(${name}.${label} PROPERTIES LABELS ${label} TIMEOUT 1500
    FAIL_REGULAR_EXPRESSION "${boxcar_empty_selection}")
  boxcar_take_share_of_sanitizer(${name}.${label} ${name})
  if(NOT BOXCAR_SANITIZE AND name IN_LIST boxcar_long_programs)
    if(label STREQUAL "processes")
      boxcar_take_share(${name}.${label} 3 0)
    elseif(label STREQUAL "threads-slow")
      boxcar_take_share(${name}.${label} 2 0)
    elseif(label STREQUAL "processes-slow")
      boxcar_take_share(${name}.${label} 6 1)
    endif()
  endif()
  if(label STREQUAL threads)
    set_property(GLOBAL APPEND PROPERTY BOXCAR_THREAD_TESTS ${name})
  endif()
endfunction()

# boxcar_add_simulated_selection(<name> <label> <number> [SHARES <number>] [BUT <filter of GoogleTest>])
# The cases of a test executable whose worlds are simulated, but for the largest; SHARES: one of so many,
# which one <number> says. BUT: those in which PEs wait for one another outside Boxcar, or for threads of
# their own.
function(boxcar_add_simulated_selection name label number)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "SHARES;BUT" "")
  if(arg_BUT)
    set(arg_BUT ":${arg_BUT}")
  endif()
  boxcar_add_selection(${name} ${label} "*simulated_p*-*simulated_p64_*${arg_BUT}")
  if(arg_SHARES)
    boxcar_take_share(${name}.${label} ${arg_SHARES} ${number})
  endif()
endfunction()

# boxcar_add_cluster_tests(<name> PES <number>... [NODES <number>] [SHARES <number>])
# The same cases of a test executable as jobs of the launchers of clusters, with so many PEs; NODES:
# only those with so many pretended nodes; SHARES: each launcher runs one of so many. tests/nodes runs
# them, too.
function(boxcar_add_cluster_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NODES;SHARES" "PES")
  if(NOT arg_SHARES)
    set(arg_SHARES 1)
    if(name IN_LIST boxcar_long_programs)
      list(LENGTH boxcar_launchers arg_SHARES)
    endif()
  endif()
  set_property(GLOBAL APPEND PROPERTY BOXCAR_CLUSTER_TESTS ${name})
  set(shapes "cluster_p*")
  if(arg_NODES)
    set(shapes "cluster_p*_n${arg_NODES}*")
  endif()
  foreach(launcher IN LISTS boxcar_launchers)
    list(FIND boxcar_launchers ${launcher} number)
    foreach(pes IN LISTS arg_PES)
      boxcar_add_cluster_job(${name}.${launcher}_p${pes} ${launcher} ${pes} SECONDS 1000
        COMMAND ${name} --gtest_brief=1 --gtest_filter=*${shapes})
      set_property(TEST ${name}.${launcher}_p${pes}
        PROPERTY FAIL_REGULAR_EXPRESSION "${boxcar_empty_selection}")
      boxcar_take_share(${name}.${launcher}_p${pes} ${arg_SHARES} ${number})
    endforeach()
  endforeach()
endfunction()

# boxcar_add_ofi_tests(<name> PES <number> [NODES <number>] [SHARES <number>] [LAUNCHER <launcher>]
#   [PROVIDER <name>])
# The same as one job on libfabric, started by `boxcar run` if nothing else is said. What lies above
# the substrates has been tested with others: so one of SHARES of the cases are run.
function(boxcar_add_ofi_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PES;NODES;SHARES;LAUNCHER;PROVIDER" "")
  if(NOT arg_LAUNCHER)
    set(arg_LAUNCHER ofi)
  endif()
  if(NOT arg_LAUNCHER IN_LIST boxcar_ofi_launchers)
    return()
  endif()
  set(shapes "cluster_p*")
  if(arg_NODES)
    set(shapes "cluster_p*_n${arg_NODES}*")
  endif()
  set(test ${name}.${arg_LAUNCHER}_p${arg_PES})
  set(environment "")
  if(arg_PROVIDER)
    set(test ${name}.${arg_LAUNCHER}_${arg_PROVIDER}_p${arg_PES})
    set(environment ENVIRONMENT BOXCAR_OFI_PROVIDER=${arg_PROVIDER})
  endif()
  boxcar_add_cluster_job(${test} ${arg_LAUNCHER} ${arg_PES} SECONDS 600
    COMMAND ${name} --gtest_brief=1 --gtest_filter=*${shapes} ${environment})
  set_property(TEST ${test} PROPERTY FAIL_REGULAR_EXPRESSION "${boxcar_empty_selection}")
  if(arg_SHARES)
    boxcar_take_share(${test} ${arg_SHARES} 1)
  endif()
endfunction()

# boxcar_add_tests_with_progress_threads(<name>)
# The cases of a test executable that have several nodes once more, with progress threads: on threads all
# of them, or what a sanitizer sees, and half of them with each launcher.
function(boxcar_add_tests_with_progress_threads name)
  set(test ${name}.with_progress_threads)
  add_test(NAME ${test}.threads COMMAND ${name} --gtest_brief=1 --gtest_filter=*threads_p*-*_n1:*_n1_*)
  set_tests_properties(${test}.threads PROPERTIES
    LABELS threads TIMEOUT 600 ENVIRONMENT BOXCAR_PROGRESS_THREAD=1
    FAIL_REGULAR_EXPRESSION "${boxcar_empty_selection}")
  boxcar_take_share_of_sanitizer(${test}.threads ${name})
  foreach(launcher IN LISTS boxcar_launchers)
    list(FIND boxcar_launchers ${launcher} number)
    boxcar_add_cluster_job(${test}.${launcher}_p4 ${launcher} 4 SECONDS 600
      COMMAND ${name} --gtest_brief=1 --gtest_filter=*cluster_p*-*_n1:*_n1_*
      ENVIRONMENT BOXCAR_PROGRESS_THREAD=1)
    set_property(TEST ${test}.${launcher}_p4
      PROPERTY FAIL_REGULAR_EXPRESSION "${boxcar_empty_selection}")
    boxcar_take_share(${test}.${launcher}_p4 2 ${number})
  endforeach()
endfunction()

include_guard()
include(${CMAKE_CURRENT_LIST_DIR}/tiers.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/cluster_jobs.cmake)

# A folder has one test program, and ctest runs the program once for each source file and label, with
# a filter over the suites of the source file. CMake reads the suites out of the source file.

# boxcar_suites_of(<source> <variable> [PARAMETRISED])
# The filters of GoogleTest that select each suite of a source file, without what follows the suite's
# name; PARAMETRISED: only of suites of TEST_P, which may have worlds as parameters.
function(boxcar_suites_of source variable)
  cmake_parse_arguments(PARSE_ARGV 2 arg "PARAMETRISED" "" "")
  cmake_path(ABSOLUTE_PATH source NORMALIZE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} text)
  string(REGEX MATCHALL "\n(TEST|TEST_F|TEST_P|TYPED_TEST)\\([A-Za-z0-9_]+" heads "\n${text}")
  list(REMOVE_DUPLICATES heads)
  set(suites "")
  foreach(head IN LISTS heads)
    string(REGEX MATCH "(TEST|TEST_F|TEST_P|TYPED_TEST)\\((.*)" all "${head}")
    set(suite ${CMAKE_MATCH_2})
    if(CMAKE_MATCH_1 STREQUAL "TEST_P")
      # An instantiation may have no prefix.
      if(text MATCHES "INSTANTIATE_TEST_SUITE_P\\([ \n]*,[ \n]*${suite},")
        list(APPEND suites "${suite}.")
      else()
        list(APPEND suites "*/${suite}.")
      endif()
    elseif(NOT arg_PARAMETRISED)
      if(CMAKE_MATCH_1 STREQUAL "TYPED_TEST")
        list(APPEND suites "${suite}/")
      else()
        list(APPEND suites "${suite}.")
      endif()
    endif()
  endforeach()
  set(${variable} "${suites}" PARENT_SCOPE)
endfunction()

# boxcar_add_test_program(<program> SOURCES <file>... [LIBRARIES <target>...] [OWN_MAIN])
# A test program. The name of a suite must be unique in the program: GoogleTest fails at run time if
# two source files define suites of one name. OWN_MAIN: one of the sources has a `main`. Several sources
# are compiled together (see cmake/component.cmake), so each has a namespace of its own, named after it.
function(boxcar_add_test_program program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OWN_MAIN" "" "SOURCES;LIBRARIES")
  set(main GTest::gtest_main)
  if(arg_OWN_MAIN)
    set(main GTest::gtest)
  endif()
  add_executable(${program} ${arg_SOURCES})
  target_link_libraries(${program} PRIVATE
    boxcar_test_support boxcar_internal boxcar_warnings ${main} ${arg_LIBRARIES})
  target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  cmake_language(EVAL CODE "cmake_language(DEFER CALL boxcar_complete_test_program ${program})")
  # GCC gives this warning about a type of an anonymous namespace in a file that another one includes.
  target_compile_options(${program} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  target_precompile_headers(${program} REUSE_FROM boxcar_test_support)
  set(all "")
  foreach(source IN LISTS arg_SOURCES)
    if(source MATCHES "_test\\.cpp$")
      boxcar_suites_of(${source} suites)
      foreach(suite IN LISTS suites)
        if(suite IN_LIST all)
          message(FATAL_ERROR "${program}: there are two suites ${suite}, one of them in ${source}")
        endif()
      endforeach()
      list(APPEND all ${suites})
    endif()
  endforeach()
endfunction()

# boxcar_complete_test_program(<program>)
# What can be done when all tests of a folder are known. In the gate of a build with a sanitizer the program has only
# the sources whose tests declare the sanitizer.
function(boxcar_complete_test_program program)
  if(boxcar_sanitizer AND BOXCAR_SANITIZED_TESTS STREQUAL "gate")
    get_target_property(gate ${program} BOXCAR_GATE_SOURCES)
    if(gate)
      get_target_property(sources ${program} SOURCES)
      foreach(source IN LISTS sources)
        if(source MATCHES "_test\\.cpp$" AND NOT source IN_LIST gate)
          list(REMOVE_ITEM sources ${source})
        endif()
      endforeach()
      set_property(TARGET ${program} PROPERTY SOURCES ${sources})
    endif()
  endif()
  boxcar_unite_sources(${program} SIZE 6)
endfunction()

# boxcar_keep_in_gate(<program> <source> <sanitizer>...)
# Notes that a test of the source declares the sanitizers.
function(boxcar_keep_in_gate program source)
  if(boxcar_sanitizer IN_LIST ARGN)
    set_property(TARGET ${program} APPEND PROPERTY BOXCAR_GATE_SOURCES ${source}_test.cpp)
  endif()
endfunction()

# boxcar_name_of_test(<program> <source> <variable>)
# `conveyor.sessions` for conveyor_tests and sessions, the name without `_test.cpp`.
function(boxcar_name_of_test program source variable)
  string(REGEX REPLACE "_tests$" "" folder ${program})
  cmake_path(GET source FILENAME stem)
  set(${variable} ${folder}.${stem} PARENT_SCOPE)
endfunction()

# boxcar_filter(<variable> <prefix>... [ENDS <pattern>...] [BUT <pattern>...])
# The filter of GoogleTest of all cases that begin with a prefix and end with a pattern.
function(boxcar_filter variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ENDS;BUT")
  set(filter "")
  foreach(suite IN LISTS arg_UNPARSED_ARGUMENTS)
    foreach(end IN LISTS arg_ENDS)
      list(APPEND filter "${suite}${end}")
    endforeach()
  endforeach()
  list(JOIN filter ":" filter)
  if(arg_BUT)
    list(JOIN arg_BUT ":" but)
    string(APPEND filter "-${but}")
  endif()
  set(${variable} "${filter}" PARENT_SCOPE)
endfunction()

# boxcar_add_cases(<program> <source>... [LABEL <label>] [LARGE <pattern>...] [<what
#   boxcar_declare_test knows>...])
# The tests, one for each source, that run all cases of the source. None of the cases has a world of
# its own as a parameter. LABEL: `plain`, if nothing is said. LARGE: cases that show a sanitizer
# nothing that smaller ones do not show, and are left out there.
function(boxcar_add_cases program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;SECONDS;TIER;CASES;VARIANT"
    "LARGE;SANITIZERS;ENVIRONMENT")
  if(NOT arg_LABEL)
    set(arg_LABEL plain)
  endif()
  if(NOT arg_SECONDS)
    set(arg_SECONDS 600)
  endif()
  set(but "")
  if(BOXCAR_SANITIZE)
    set(but ${arg_LARGE})
  endif()
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    boxcar_name_of_test(${program} ${source} test)
    if(arg_VARIANT)
      string(APPEND test .${arg_VARIANT})
    endif()
    boxcar_keep_in_gate(${program} ${source} ${arg_SANITIZERS})
    boxcar_suites_of(${source}_test.cpp suites)
    boxcar_filter(filter ${suites} ENDS "*" BUT ${but})
    add_test(NAME ${test} COMMAND ${program} --gtest_brief=1 --gtest_filter=${filter})
    boxcar_declare_test(${test} SELECTS LABELS ${arg_LABEL} TIER ${arg_TIER} CASES ${arg_CASES}
      SANITIZERS ${arg_SANITIZERS} SECONDS ${arg_SECONDS} NEEDS ${program}
      ENVIRONMENT ${arg_ENVIRONMENT})
  endforeach()
endfunction()

# boxcar_add_selections(<program> <source>... LABELS <label>... [VARIANT <name>] [BUT <pattern>...]
#   [<what boxcar_declare_test knows>...])
# The tests, one for each source and label, that run the cases of the source whose worlds are of the
# kind that the label names:
#   threads, processes, simulated            worlds of up to 36 PEs
#   threads-slow, processes-slow, simulated-slow   worlds of 64 PEs
#   plain                                    cases without a world as a parameter
# (ctest takes labels as regular expressions: -L threads means both, -LE slow leaves the slow out.)
# VARIANT: a part of the test's name, for a second selection of the same source and label.
# BUT: cases that are left out. Nothing is added for worlds that the build does not have.
function(boxcar_add_selections program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "VARIANT;SECONDS;TIER;CASES"
    "LABELS;BUT;SANITIZERS;ENVIRONMENT")
  if(NOT arg_SECONDS)
    set(arg_SECONDS 1500)
  endif()
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    boxcar_name_of_test(${program} ${source} name)
    if(arg_VARIANT)
      string(APPEND name .${arg_VARIANT})
    endif()
    boxcar_keep_in_gate(${program} ${source} ${arg_SANITIZERS})
    boxcar_suites_of(${source}_test.cpp suites PARAMETRISED)
    boxcar_suites_of(${source}_test.cpp all_suites)
    foreach(label IN LISTS arg_LABELS)
      string(REGEX REPLACE "-slow$" "" substrate ${label})
      # ThreadSanitizer sees the accesses of one process only, and worlds have few PEs with a sanitizer.
      if((substrate STREQUAL "processes" AND BOXCAR_SANITIZE MATCHES "thread")
         OR (label MATCHES "-slow$" AND BOXCAR_SANITIZE)
         OR (substrate STREQUAL "simulated" AND NOT TARGET boxcar_simulated))
        continue()
      endif()
      if(label STREQUAL "plain")
        boxcar_filter(filter ${all_suites} ENDS "*"
          BUT "*threads_p*" "*processes_p*" "*simulated_p*" ${arg_BUT})
      elseif(label STREQUAL substrate)
        boxcar_filter(filter ${suites} ENDS "*${substrate}_p*" BUT "*_p64_*" ${arg_BUT})
      else()
        boxcar_filter(filter ${suites} ENDS "*${substrate}_p64_*" BUT ${arg_BUT})
      endif()
      set(test ${name}.${label})
      add_test(NAME ${test} COMMAND ${program} --gtest_brief=1 --gtest_filter=${filter})
      boxcar_declare_test(${test} SELECTS LABELS ${label} TIER ${arg_TIER} CASES ${arg_CASES}
        SANITIZERS ${arg_SANITIZERS} SECONDS ${arg_SECONDS} NEEDS ${program}
        ENVIRONMENT ${arg_ENVIRONMENT})
    endforeach()
  endforeach()
endfunction()

# boxcar_add_job_selections(<program> <source>... PES <number>... [NODES <number>]
#   [LAUNCHERS <launcher>...] [VARIANT <name>] [BUT <pattern>...]
#   [<what boxcar_declare_test knows>...])
# The tests, one for each source, launcher and number of PEs, that run the cases of the source as one
# job of the launcher with so many PEs. NODES: only the cases with so many pretended nodes.
# LAUNCHERS: those of MPI and OpenSHMEM, if nothing is said; what they run, tests/nodes runs, too.
function(boxcar_add_job_selections program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NODES;VARIANT;SECONDS;TIER;CASES"
    "PES;LAUNCHERS;BUT;ENVIRONMENT")
  if(NOT arg_SECONDS)
    set(arg_SECONDS 1000)
  endif()
  set(shapes "*cluster_p*")
  if(arg_NODES)
    set(shapes "*cluster_p*_n${arg_NODES}*")
  endif()
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    boxcar_suites_of(${source}_test.cpp suites PARAMETRISED)
    boxcar_filter(filter ${suites} ENDS ${shapes} BUT ${arg_BUT})
    set(launchers ${arg_LAUNCHERS})
    if(NOT launchers)
      set(launchers ${boxcar_launchers})
      if(NOT arg_VARIANT)
        boxcar_filter(filter_for_nodes ${suites} ENDS "*cluster_p<PES>_n2*" BUT ${arg_BUT})
        boxcar_name_of_test(${program} ${source} name)
        set_property(GLOBAL APPEND PROPERTY BOXCAR_JOB_SELECTIONS
          "${name}|${program}|${filter_for_nodes}")
      endif()
    endif()
    boxcar_name_of_test(${program} ${source} name)
    if(arg_VARIANT)
      string(APPEND name .${arg_VARIANT})
    endif()
    foreach(launcher IN LISTS launchers)
      if(NOT launcher IN_LIST boxcar_launchers AND NOT launcher IN_LIST boxcar_ofi_launchers)
        continue()
      endif()
      foreach(pes IN LISTS arg_PES)
        boxcar_add_cluster_job(${name}.${launcher}_p${pes} ${launcher} ${pes}
          COMMAND ${program} --gtest_brief=1 --gtest_filter=${filter}
          SELECTS TIER ${arg_TIER} CASES ${arg_CASES} SECONDS ${arg_SECONDS}
          ENVIRONMENT ${arg_ENVIRONMENT})
      endforeach()
    endforeach()
  endforeach()
endfunction()

# boxcar_computes_long(<source>...)
# Source files of this folder that would make tests far longer if they were not optimised, as tests
# with sanitizers are.
function(boxcar_computes_long)
  if(BOXCAR_SANITIZE)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

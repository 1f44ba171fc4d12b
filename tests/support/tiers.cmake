include_guard()

# Each test belongs to a tier, its label: `gate` is run by `make check`, `nightly` by
# `make check-nightly` as well, `weekly` by `make check-weekly` as well. The number of cases of a
# parametrised suite depends on the tier that runs, not on the test: tests/support reads
# BOXCAR_TEST_TIER (docs/testing.md).

# The short name of the sanitizer of this build, or nothing.
set(boxcar_sanitizer "")
if(BOXCAR_SANITIZE MATCHES "thread")
  set(boxcar_sanitizer thread)
elseif(BOXCAR_SANITIZE)
  set(boxcar_sanitizer address)
endif()
set(BOXCAR_SANITIZED_TESTS all CACHE STRING "The tests that a build with a sanitizer has: gate or all")

# boxcar_declare_test(<test>... [LABELS <label>...] [TIER gate|nightly|weekly]
#   [SANITIZERS thread|address...] [SECONDS <limit>] [NEEDS <target>...] [CASES <tier>]
#   [ENVIRONMENT <variable>=<value>...] [SELECTS] [SILENT])
# The properties of tests that add_test has added.
# TIER: gate, if nothing is said.
# SANITIZERS: the sanitizers whose builds run the test in the gate. Other tests of the gate are
#   nightly in a build with a sanitizer.
# SECONDS: a test that takes longer is killed; 120, if nothing is said.
# NEEDS: the targets that the test runs, for the targets gate_tests and thread_tests.
# CASES: the test runs the cases of this tier, in whatever tier the test itself runs.
# SELECTS: the test is a filter of GoogleTest, and a filter that selects nothing is a mistake.
# SILENT: the program prints nothing, and neither do the libraries that it uses, nor the launcher: any output is a
#   failure.
function(boxcar_declare_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "SELECTS;SILENT" "TIER;SECONDS;CASES"
    "LABELS;SANITIZERS;NEEDS;ENVIRONMENT")
  set(tier gate)
  if(arg_TIER)
    set(tier ${arg_TIER})
  endif()
  if(NOT tier MATCHES "^(gate|nightly|weekly)$")
    message(FATAL_ERROR "${arg_UNPARSED_ARGUMENTS}: there is no tier ${tier}")
  endif()
  set(labels ${arg_LABELS})
  if(tier STREQUAL "gate")
    if(boxcar_sanitizer AND NOT boxcar_sanitizer IN_LIST arg_SANITIZERS)
      set(tier nightly)
    elseif(NOT boxcar_sanitizer)
      # plant-faults looks for these.
      list(TRANSFORM arg_SANITIZERS PREPEND gate-)
      list(APPEND labels ${arg_SANITIZERS})
    endif()
  endif()
  list(APPEND labels ${tier})
  if(NOT arg_SECONDS)
    set(arg_SECONDS 120)
  endif()
  foreach(test IN LISTS arg_UNPARSED_ARGUMENTS)
    set_property(TEST ${test} APPEND PROPERTY LABELS ${labels})
    set_property(TEST ${test} PROPERTY TIMEOUT ${arg_SECONDS})
    # Tests expect the choices that Boxcar comes with, not those of the user's file.
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT BOXCAR_CALIBRATION=none)
    if(arg_ENVIRONMENT)
      set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT ${arg_ENVIRONMENT})
    endif()
    if(arg_CASES)
      set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT BOXCAR_TEST_TIER=${arg_CASES})
    endif()
    if(arg_SELECTS)
      set_property(TEST ${test} PROPERTY
        FAIL_REGULAR_EXPRESSION " 0 tests from 0 test suites")
    endif()
    if(arg_SILENT)
      set_property(TEST ${test} PROPERTY FAIL_REGULAR_EXPRESSION ".")
    endif()
  endforeach()
  if(arg_NEEDS)
    if(tier STREQUAL "gate")
      set_property(GLOBAL APPEND PROPERTY BOXCAR_GATE_TARGETS ${arg_NEEDS})
    endif()
    if("threads" IN_LIST labels)
      set_property(GLOBAL APPEND PROPERTY BOXCAR_THREAD_TARGETS ${arg_NEEDS})
    endif()
  endif()
endfunction()

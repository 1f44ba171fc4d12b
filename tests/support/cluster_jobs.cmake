include_guard()
include(${CMAKE_CURRENT_LIST_DIR}/tiers.cmake)

# The launchers of clusters whose library of Boxcar is built here, as in_cluster.sh knows them.
set(boxcar_launchers "")
foreach(candidate IN ITEMS openmpi mpich shmem)
  if(TARGET boxcar_${candidate})
    list(APPEND boxcar_launchers ${candidate})
  endif()
endforeach()

# What keeps Open MPI's OpenSHMEM from crashing at its end, for programs that start it themselves.
set(boxcar_own_shmem OMPI_MCA_opal_common_ucx_opal_mem_hooks=0)

# The same on libfabric: how its jobs are started here.
set(boxcar_ofi_launchers "")
if(TARGET boxcar_ofi)
  set(boxcar_ofi_launchers ofi)
  foreach(mpi IN ITEMS openmpi mpich)
    if(TARGET boxcar_${mpi})
      list(APPEND boxcar_ofi_launchers ofi-${mpi})
    endif()
  endforeach()
endif()

# boxcar_add_cluster_job(<test> <launcher> <PEs> COMMAND <target> [<argument>...]
#   [<what boxcar_declare_test knows>...])
# The test that runs a program as one job of a launcher, which is its label.
function(boxcar_add_cluster_job test launcher pes)
  cmake_parse_arguments(PARSE_ARGV 3 arg "SELECTS;SILENT" "SECONDS;TIER;CASES" "COMMAND;ENVIRONMENT")
  list(POP_FRONT arg_COMMAND program)
  add_test(NAME ${test} COMMAND ${PROJECT_SOURCE_DIR}/tests/support/in_cluster.sh
    ${launcher} ${pes} $<TARGET_FILE:${program}> ${arg_COMMAND})
  # (One job beside another, on two cores: most of a job is waiting for its launcher.)
  set(label ${launcher})
  if(launcher MATCHES "^ofi")
    list(APPEND arg_ENVIRONMENT BOXCAR_TEST_COMMAND=$<TARGET_FILE:boxcar_tool>)
    set(label ofi)
  endif()
  set(options "")
  foreach(option IN ITEMS SELECTS SILENT)
    if(arg_${option})
      list(APPEND options ${option})
    endif()
  endforeach()
  boxcar_declare_test(${test} ${options} LABELS ${label} TIER ${arg_TIER} CASES ${arg_CASES}
    SECONDS ${arg_SECONDS} NEEDS ${program} ENVIRONMENT ${arg_ENVIRONMENT})
endfunction()

# boxcar_run_on_nodes(<program> [<argument>...])
# The tests that run an example, which checks itself, across the two nodes of tests/nodes.
function(boxcar_run_on_nodes program)
  set_property(GLOBAL APPEND PROPERTY BOXCAR_NODES_EXAMPLES ${program})
  set_target_properties(${program} PROPERTIES BOXCAR_NODES_ARGUMENTS "${ARGN}")
endfunction()

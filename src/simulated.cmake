# The simulated machine: a library of its own, for the sake of Boost.Context, by which PEs are fibers.
# (A sanitizer would have to be told of every switch between stacks; the Python package has no use for it.)
if(BOXCAR_SANITIZE OR BOXCAR_PYTHON OR NOT BOXCAR_SIMULATED)
  return()
endif()
find_path(context_headers boost/context/fiber.hpp NO_CACHE)
find_library(context_library boost_context NO_CACHE)
if(NOT context_headers OR NOT context_library)
  message(STATUS "Boxcar: no boxcar::simulated, which needs Boost.Context (Debian: libboost-context-dev)")
  return()
endif()
message(STATUS "Boxcar: simulated machine, by ${context_library}")
add_library(boxcar_simulated
  substrate/simulated/bulk.cpp
  substrate/simulated/fiber.cpp
  substrate/simulated/fiber_stacks.cpp
  substrate/simulated/links.cpp
  substrate/simulated/simulated_choices.cpp
  substrate/simulated/simulated_layout.cpp
  substrate/simulated/simulated_machine.cpp
  substrate/simulated/mailbox.cpp
  substrate/simulated/memory_need.cpp
  substrate/simulated/network_file.cpp
  substrate/simulated/network_links.cpp
  substrate/simulated/network_model.cpp
  substrate/simulated/simulated_substrate.cpp
  substrate/simulated/start.cpp
  world/explore.cpp
  world/simulate.cpp
  world/simulate_programs.cpp)
add_library(boxcar::simulated ALIAS boxcar_simulated)
set_target_properties(boxcar_simulated PROPERTIES EXPORT_NAME simulated)
target_include_directories(boxcar_simulated PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_include_directories(boxcar_simulated SYSTEM PRIVATE ${context_headers})
target_link_libraries(boxcar_simulated
  PUBLIC boxcar
  PRIVATE $<BUILD_INTERFACE:${context_library}> $<INSTALL_INTERFACE:boost_context>
    $<BUILD_INTERFACE:boxcar_warnings>)
boxcar_unite_sources(boxcar_simulated)

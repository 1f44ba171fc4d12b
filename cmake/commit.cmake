# Which commit the sources are, and whether they have changes, as a header for C++. A part of every
# build, as either may change without anything being configured again; the header keeps its time
# stamp if it would not change, so that nothing is compiled for it.
#
# cmake -D SOURCE=<folder> -D HEADER=<file> -P commit.cmake
include(${CMAKE_CURRENT_LIST_DIR}/code_blocks.cmake)

# A build may be started by git itself, which says in these where another command is to look.
foreach(variable IN ITEMS GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX)
  unset(ENV{${variable}})
endforeach()

# boxcar_ask_git(<variable> <argument>...): what git answers, or NOTFOUND if it does not.
function(boxcar_ask_git variable)
  find_program(git git NO_CACHE)
  set(${variable} NOTFOUND PARENT_SCOPE)
  if(git)
    execute_process(COMMAND ${git} --no-optional-locks -C ${SOURCE} ${ARGN} RESULT_VARIABLE status
      OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(status EQUAL 0)
      set(${variable} "${answer}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Sources that were unpacked within the checkout of something else are none of its commits.
boxcar_ask_git(inside rev-parse --show-prefix)
boxcar_ask_git(commit rev-parse --verify HEAD)
boxcar_ask_git(changes status --porcelain --untracked-files=no)
set(changed false)
if(NOT inside STREQUAL "" OR NOT commit)
  set(commit "")
elseif(changes)
  set(changed true)
endif()
boxcar_write_if_different(${HEADER} "#pragma once
namespace boxcar::bench {
inline constexpr const char* source_commit = \"${commit}\";
inline constexpr bool source_changed = ${changed};
}
")

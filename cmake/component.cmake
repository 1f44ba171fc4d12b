# The components of Boxcar: each floor is a library of its own, so that a floor which uses the one above it
# does not link.

# Most of the time to compile a file goes into headers. So several files of a target are compiled together, in
# few large translation units. CMAKE_UNITY_BUILD=OFF compiles each file by itself: clang-tidy needs that, and the
# build which shows that each file includes the headers that it uses.
if(DEFINED CMAKE_UNITY_BUILD)
  set(boxcar_unity_build ${CMAKE_UNITY_BUILD})
else()
  set(boxcar_unity_build ON)
endif()

# boxcar_unite_sources(<target> [SIZE <number>] [ACROSS_FOLDERS])
# Compiles the sources of each folder of a target together, or of all folders, in units of at most SIZE files. Files
# that are compiled by themselves (SKIP_UNITY_BUILD_INCLUSION) are to be marked before.
function(boxcar_unite_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ACROSS_FOLDERS" "SIZE" "")
  if(NOT arg_SIZE AND arg_ACROSS_FOLDERS)
    set(arg_SIZE 15)
  elseif(NOT arg_SIZE)
    set(arg_SIZE 12)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${boxcar_unity_build} UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_source_file_property(is_alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(is_alone OR NOT source MATCHES "[.]cpp$")
      continue()
    endif()
    set(group united)
    if(NOT arg_ACROSS_FOLDERS)
      cmake_path(GET source PARENT_PATH group)
      string(MAKE_C_IDENTIFIER "${group}" group)
    endif()
    if(NOT DEFINED count_of_${group})
      set(count_of_${group} 0)
    endif()
    math(EXPR unit "${count_of_${group}} / ${arg_SIZE}")
    math(EXPR count_of_${group} "${count_of_${group}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}_${unit}")
  endforeach()
endfunction()

# boxcar_add_objects(<target> <source>... [UNITE <option of boxcar_unite_sources>...])
# Objects that become a part of a static library and of the shared library.
function(boxcar_add_objects target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "UNITE")
  add_library(${target} OBJECT ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE boxcar_headers Threads::Threads boxcar_warnings)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  boxcar_unite_sources(${target} ${arg_UNITE})
  boxcar_precompile_headers(${target})
endfunction()

# boxcar_add_component(<name> <source>... [COLD <source>...] [USES <component>...] [UNITE <option>...])
# The library boxcar::<name>, whose objects are also a part of the shared library boxcar::shared. With
# BUILD_SHARED_LIBS, boxcar::<name> is another name of that. COLD sources run once for a world or for a conveyor, and
# never for an item or a message: GCC optimises these sources little, which takes two thirds of the time.
function(boxcar_add_component name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COLD;USES;UNITE")
  set(target boxcar_${name})
  set(objects ${target}_objects)
  boxcar_add_objects(${target}_objects ${arg_UNPARSED_ARGUMENTS} UNITE ${arg_UNITE})
  if(arg_COLD)
    boxcar_add_objects(${target}_cold_objects ${arg_COLD} UNITE ${arg_UNITE})
    target_compile_options(${target}_cold_objects PRIVATE
      $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-O1>)
    list(APPEND objects ${target}_cold_objects)
  endif()
  set_property(GLOBAL PROPERTY BOXCAR_OBJECTS_${target} ${objects})
  list(TRANSFORM objects REPLACE ".+" "$<TARGET_OBJECTS:\\0>")
  if(BUILD_SHARED_LIBS)
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE boxcar_shared)
  else()
    add_library(${target} STATIC ${objects})
    list(TRANSFORM arg_USES PREPEND boxcar_)
    target_link_libraries(${target} PUBLIC boxcar_headers ${arg_USES})
  endif()
  add_library(boxcar::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY BOXCAR_COMPONENTS ${target})
  # For tests/floors: the components that this one uses, and that these use.
  set(all_uses ${arg_USES})
  foreach(used IN LISTS arg_USES)
    get_property(more GLOBAL PROPERTY BOXCAR_USES_${used})
    list(APPEND all_uses ${more})
  endforeach()
  list(REMOVE_DUPLICATES all_uses)
  set_property(GLOBAL PROPERTY BOXCAR_USES_${target} "${all_uses}")
endfunction()

# boxcar_add_shared_library(<component>...)
# The library boxcar::shared, which has all of these components.
function(boxcar_add_shared_library)
  set(objects "")
  foreach(component IN LISTS ARGN)
    get_property(more GLOBAL PROPERTY BOXCAR_OBJECTS_boxcar_${component})
    list(APPEND objects ${more})
  endforeach()
  list(TRANSFORM objects REPLACE ".+" "$<TARGET_OBJECTS:\\0>")
  add_library(boxcar_shared SHARED ${objects})
  add_library(boxcar::shared ALIAS boxcar_shared)
  set_target_properties(boxcar_shared PROPERTIES
    EXPORT_NAME shared
    OUTPUT_NAME boxcar
    LINKER_LANGUAGE CXX
    INSTALL_RPATH $ORIGIN
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  boxcar_export_symbols(boxcar_shared)
  target_link_options(boxcar_shared PRIVATE LINKER:-Bsymbolic-functions)
  target_link_libraries(boxcar_shared PUBLIC boxcar_headers Threads::Threads PRIVATE ${CMAKE_DL_LIBS})
endfunction()

# boxcar_export_symbols(<target>)
# A shared library exports Boxcar's interfaces only.
function(boxcar_export_symbols target)
  set(symbols ${PROJECT_SOURCE_DIR}/cmake/shared_symbols.map)
  target_link_options(${target} PRIVATE LINKER:--version-script=${symbols})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${symbols})
endfunction()

# The symbols that a program shows. Network libraries, which are opened at run time, use the substrates that the program
# has; and OpenSHMEM looks up its data, see program_shows_its_data in substrate/discovery.cpp.
set(boxcar_shown_symbols
  _end
  data_start
  _ZN6boxcar5error*
  _ZN6boxcar6detail*
  _ZNK6boxcar6detail*
  _ZNO6boxcar6detail*
  _ZTIN6boxcar6detail*)

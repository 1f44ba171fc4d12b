#include "substrate/library.hpp"

#include <atomic>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/version.hpp>

#include "substrate/environment.hpp"

namespace boxcar::detail {
namespace {

std::string file_name(const std::string& name) {
  return "libboxcar_" + name + ".so";
}

// Returns the candidate files in the order of preference. For a bare name the system's loader
// searches its own paths and the run path of the program, and might find another installed version.
std::vector<std::string> candidates(const std::string& name) {
  std::vector<std::string> files;
  const std::string folder = library_path_from_environment();
  if (!folder.empty()) files.push_back(folder + "/" + file_name(name));
  const std::string own_folder = BOXCAR_LIBRARY_FOLDER;
  if (own_folder.empty()) {  // the Python package may be installed anywhere
    files.push_back(file_name(name));
    return files;
  }
  const std::string own = own_folder + "/" + file_name(name);
  if constexpr (BOXCAR_IS_INSTALLED) {
    files.insert(files.end(), {file_name(name), own});
  } else {
    files.insert(files.end(), {own, file_name(name)});
  }
  return files;
}

struct opened {
  void* handle = nullptr;
  std::string problems;  // errors of the loader, if there is no handle
};

// A network library finds the substrates of the program in the global scope of the dynamic loader.
// A shared library with the substrates is not in the global scope if a module loaded by dlopen, a
// Python module for instance, brought the library: show_substrates adds the library to the global
// scope.
void show_substrates() {
  Dl_info place{};
  link_map* object = nullptr;
  const auto address = reinterpret_cast<const void*>(&find_library);
  if (dladdr1(address, &place, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0) return;
  const bool is_the_program = object->l_name[0] == '\0';
  if (!is_the_program) dlopen(object->l_name, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

// Opens a library, and never closes it, as MPI does not survive a dlclose.
opened open(const std::string& name) {
  opened result;
  show_substrates();
  for (const std::string& file : candidates(name)) {
    // MPI's own plugins look for its symbols.
    result.handle = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (result.handle != nullptr) return result;
    result.problems += std::string("\n  ") + dlerror();
  }
  return result;
}

}  // namespace

library_place find_library(const std::string& name) {
  const opened library = open(name);
  link_map* map = nullptr;
  if (library.handle == nullptr || dlinfo(library.handle, RTLD_DI_LINKMAP, &map) != 0) {
    return {{}, library.problems};
  }
  return {map->l_name, {}};
}

std::string networks_found_by(const std::string& name) {
  const opened library = open(name);
  if (library.handle == nullptr) return {};
  void* const found = dlsym(library.handle, "boxcar_describe_networks");
  return found == nullptr ? "" : reinterpret_cast<describe_function*>(found)();
}

std::string advice_without_library(const std::string& name) {
  const std::string needed =
      name == "ofi" ? "libfabric and its headers are" : "that MPI or OpenSHMEM is";
  return "build Boxcar where " + needed + " installed and name the folder of " + file_name(name) +
         " in BOXCAR_LIBRARY_PATH, or set BOXCAR_SUBSTRATE=alone to let each process be a world "
         "of its own";
}

namespace {

// A forked child must not use its copies of the network's state.
void refuse_forked_child() {
  static std::atomic<pid_t> member = 0;
  pid_t process = 0;
  const pid_t own = getpid();
  if (member.compare_exchange_strong(process, own, std::memory_order_relaxed)) return;
  if (process == own) return;
  throw contract_error("joining the world in process " + std::to_string(own) + ", which process " +
                       std::to_string(process) +
                       ", a PE, has forked: a forked child is no PE; let it start another program, "
                       "or set BOXCAR_SUBSTRATE=alone in it to make it a world of its own");
}

// Calls `function`, of type `Function`, in the library of the substrate `name`.
template <typename Function, typename... Arguments>
std::unique_ptr<substrate> join_by(const char* function, const std::string& name,
                                   const std::string& why, Arguments... arguments) {
  refuse_forked_child();
  const opened library = open(name);
  if (library.handle == nullptr) {
    throw system_error(why + ", so Boxcar needs its library " + file_name(name) +
                       ", which cannot be opened: " + advice_without_library(name) +
                       library.problems);
  }
  auto* join = reinterpret_cast<Function*>(dlsym(library.handle, function));
  std::unique_ptr<substrate> joined(join == nullptr ? nullptr : join(version, arguments...));
  if (joined == nullptr) {
    throw system_error(find_library(name).path + " is not of this program's version of Boxcar, " +
                       version + ": build both from the same sources");
  }
  return joined;
}

}  // namespace

std::unique_ptr<substrate> join_by_library(const std::string& name, const std::string& why) {
  return join_by<join_function>("boxcar_join_substrate", name, why);
}

std::unique_ptr<substrate> join_communicator(const std::string& name, const void* communicator) {
  return join_by<join_communicator_function>(
      "boxcar_join_communicator", name, "the program gave a communicator of MPI", communicator);
}

}  // namespace boxcar::detail

#include "simulator/program_module.hpp"

#include <algorithm>
#include <cstdint>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <string_view>
#include <unistd.h>

#include <boxcar/error.hpp>

// The argument by which compiled code finds a thread-local variable.
struct tls_place {
  std::size_t module;
  std::size_t offset;
};
extern "C" void* __tls_get_addr(tls_place*);

namespace boxcar::simulator {
namespace {

constexpr const char* how_to_build =
    "build it as a module: c++ -std=c++20 -O2 -shared -fPIC program.cpp -o program.so, or "
    "add_library(program MODULE program.cpp) and target_link_libraries(program PRIVATE "
    "boxcar::headers) in CMake";

// Returns the path; a name without a slash is a file of the current folder.
std::string with_folder(const std::string& path) {
  return path.find('/') == std::string::npos ? "./" + path : path;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw argument_error("cannot simulate " + path + ": " + why);
}

void* open(const std::string& path) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) {
    refuse(path, "there is no such file; give the path of a program built as a module");
  }
  if (void* handle = dlopen(with_folder(path).c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
  const std::string why = dlerror();
  const bool lacks_symbol = why.find("undefined symbol") != std::string::npos;
  refuse(path, why + (lacks_symbol ? "; link what it needs besides Boxcar, and build it with the "
                                     "headers of this version of Boxcar"
                                   : std::string("; ") + how_to_build));
}

// The loader's data about the module.
struct loaded {
  std::uintptr_t at = 0;
  std::span<const ElfW(Phdr)> segments;
  std::size_t tls_module = 0;
  bool found = false;
};

loaded find_loaded(const link_map& map) {
  struct search {
    const link_map& map;
    loaded result;
  } wanted{map, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* into) {
        auto& s = *static_cast<search*>(into);
        if (info->dlpi_addr != s.map.l_addr || std::string_view(info->dlpi_name) != s.map.l_name) {
          return 0;
        }
        s.result = {
            info->dlpi_addr, {info->dlpi_phdr, info->dlpi_phnum}, info->dlpi_tls_modid, true};
        return 1;
      },
      &wanted);
  return wanted.result;
}

template <typename Function>
Function function_at(std::uintptr_t address) {
  return reinterpret_cast<Function>(address);
}

}  // namespace

program_module::program_module(const std::string& path) {
  void* handle = open(path);
  // The name of boxcar::join, as an example function: nobody would find a second copy of the
  // library.
  constexpr const char* function_of_boxcar = "_ZN6boxcar4joinEv";
  void* const its_own = dlsym(handle, function_of_boxcar);
  if (its_own != nullptr && its_own != dlsym(RTLD_DEFAULT, function_of_boxcar)) {
    refuse(
        path,
        "it is linked with a library of Boxcar, in which each PE would be alone; link the module "
        "without Boxcar: it finds Boxcar's functions in boxcar simulate");
  }
  main_ = reinterpret_cast<main_function>(dlsym(handle, "main"));
  if (main_ == nullptr) refuse(path, "it has no function main");
  find_data(handle);
}

void program_module::find_data(void* handle) {
  link_map* map = nullptr;
  dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map));
  const loaded here = find_loaded(*map);
  if (!here.found) throw system_error("the loader does not know what it has loaded");
  const auto bytes_at = [&here](std::uintptr_t address, std::size_t bytes) {
    return std::span(reinterpret_cast<std::byte*>(here.at + address), bytes);
  };
  // Pages made read-only by the loader, up to the end of a page, are left out.
  std::uintptr_t writable_from = 0;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  for (const auto& s : here.segments) {
    if (s.p_type == PT_GNU_RELRO) writable_from = (s.p_vaddr + s.p_memsz) / page * page;
  }
  for (const auto& s : here.segments) {
    if (s.p_type == PT_LOAD && (s.p_flags & PF_W) != 0) {
      const std::uintptr_t from = std::max<std::uintptr_t>(s.p_vaddr, writable_from);
      const std::uintptr_t end = s.p_vaddr + s.p_memsz;
      const std::uintptr_t zeros = std::max<std::uintptr_t>(s.p_vaddr + s.p_filesz, from);
      if (from < end) data_.push_back(bytes_at(from, end - from));
      if (zeros < end) zeroed_.push_back(bytes_at(zeros, end - zeros));
    } else if (s.p_type == PT_TLS) {
      tls_place place{here.tls_module, 0};
      auto* const block = static_cast<std::byte*>(__tls_get_addr(&place));
      data_.emplace_back(block, s.p_memsz);
      zeroed_.emplace_back(block + s.p_filesz, s.p_memsz - s.p_filesz);
    }
  }
  std::uintptr_t array = 0;
  std::size_t array_bytes = 0;
  for (const ElfW(Dyn)* d = map->l_ld; d->d_tag != DT_NULL; ++d) {
    if (d->d_tag == DT_INIT) {
      initialisers_.push_back(function_at<initialiser>(here.at + d->d_un.d_ptr));
    }
    if (d->d_tag == DT_INIT_ARRAY) array = here.at + d->d_un.d_ptr;
    if (d->d_tag == DT_INIT_ARRAYSZ) array_bytes = d->d_un.d_val;
  }
  const auto* const first = reinterpret_cast<const initialiser*>(array);
  initialisers_.insert(initialisers_.end(), first, first + array_bytes / sizeof(initialiser));
}

void program_module::clear() const {
  for (const auto part : zeroed_) std::ranges::fill(part, std::byte{});
}

int program_module::run(const std::vector<std::string>& words) const {
  // The program gets a copy of its words, as a program may change them.
  std::vector<std::string> own = words;
  std::vector<char*> arguments;
  for (std::string& word : own) arguments.push_back(word.data());
  const auto count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  optind = 0;  // as if nobody had read any words yet
  for (const initialiser initialise : initialisers_) {
    initialise(count, arguments.data(), environ);
  }
  return main_(count, arguments.data(), environ);
}

}  // namespace boxcar::simulator

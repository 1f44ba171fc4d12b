// The exports of the library.
#include <cstdint>
#include <dlfcn.h>
#include <shmem.h>
#include <string>

#include "baseline.hpp"
#include "shmem/one_sided.hpp"
#include "shmem/put_blocks.hpp"
#include "shmem/put_flag.hpp"
#include "shmem/put_items.hpp"

extern "C" void boxcar_bench_baselines(boxcar::bench::job& work, boxcar::bench::job& small,
                                       std::uint64_t, boxcar::bench::baselines& all) {
  boxcar::bench::make_one_sided(small, all);
  boxcar::bench::make_put_items(small, all);
  boxcar::bench::make_put_flag(work, all);
  boxcar::bench::make_put_blocks(work, all);
}

// OpenSHMEM reports its vendor and the version of the specification. Where OpenSHMEM is a part of
// an MPI, as Open MPI's is, the MPI reports the version of the software.
extern "C" void boxcar_bench_library(std::string& name_and_version) {
  char name[SHMEM_MAX_NAME_LEN] = {};
  int major = 0;
  int minor = 0;
  shmem_info_get_name(name);
  shmem_info_get_version(&major, &minor);
  name_and_version =
      std::string(name) + ", OpenSHMEM " + std::to_string(major) + "." + std::to_string(minor);
  using tell = int (*)(char* text, int* length);
  if (auto* mpi = reinterpret_cast<tell>(dlsym(RTLD_DEFAULT, "MPI_Get_library_version"))) {
    constexpr std::size_t longest_of_any_mpi = 8192;
    char text[longest_of_any_mpi] = {};
    int length = 0;
    mpi(text, &length);
    const std::string all = text;
    name_and_version += ", in " + all.substr(0, all.find('\n'));
  }
}

#include "build.hpp"

#include <boxcar/version.hpp>

#include "source_commit.hpp"

namespace boxcar::bench {

build this_build() {
  return {version, source_commit, source_changed, BOXCAR_BENCH_COMPILER, BOXCAR_BENCH_FLAGS};
}

}  // namespace boxcar::bench

#pragma once

#include <memory>

#include "benchmark.hpp"

namespace boxcar::bench {

// The limit of the histogram, by itself.
std::unique_ptr<benchmark> make_limit(world& w, const setting& s);

}  // namespace boxcar::bench

#pragma once

#include <memory>

#include "benchmark.hpp"

namespace boxcar::bench {

std::unique_ptr<benchmark> make_overlap(world& w, const setting& s);

}  // namespace boxcar::bench

#include "world/record.hpp"

#include <memory>
#include <string>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "substrate/environment.hpp"
#include "trace/trace_file.hpp"
#include "trace/trace_log.hpp"

namespace boxcar::detail {

void record_if_asked(substrate& world) {
  try {
    const std::string path = trace_from_environment();
    if (path.empty()) return;
    const std::size_t events = trace_events_from_environment();
    const traced_pe who{.rank = world.rank(),
                        .pes = world.size(),
                        .node = world.node_of(world.rank()),
                        .nodes = world.layout().nodes(),
                        .substrate = world.name(),
                        .job = world.identity()};
    auto log = std::make_shared<trace_log>(who, trace_file(path, who.job), events);
    world.record_to(std::make_shared<recording>(std::move(log)));
  } catch (const error& e) {
    world.fail(world.pe_name(world.rank()) + ": " + e.what());
    throw;
  }
}

bool write_trace_so_far(const substrate& world, const std::string& path) {
  trace_log* const log = world.log().get();
  if (log == nullptr) return false;
  log->write_so_far(trace_file(path, log->job()));
  return true;
}

}  // namespace boxcar::detail

#include "substrate/ofi/boxcar_run_meeting.hpp"

#include <cstring>
#include <span>
#include <utility>

#include "substrate/environment.hpp"
#include "substrate/ofi/meetings.hpp"
#include "substrate/processes/join.hpp"

namespace boxcar::detail::ofi {

std::vector<std::string> boxcar_run_meeting::gather_here(const std::string& mine, int root) {
  std::vector<std::string> all(static_cast<std::size_t>(world_->size()));
  world_->gather(std::as_bytes(std::span(mine)), root,
                 [&all](int pe, std::size_t bytes) {
                   std::string& text = all[static_cast<std::size_t>(pe)];
                   text.resize(bytes);
                   return reinterpret_cast<std::byte*>(text.data());
                 },
                 {});
  return all;
}

void boxcar_run_meeting::keep(std::vector<std::string> shown) {
  shown_.push_back(std::move(shown));
  ++turns_;
  reason_.clear();  // reason of an earlier world
}

void boxcar_run_meeting::show(const std::string& mine) {
  keep(gather_here(mine, every_pe));
}

std::unique_ptr<meeting> meet_by_boxcar_run() {
  const auto process = launched_by_boxcar();
  if (!process || process->hosts) return nullptr;
  return std::make_unique<boxcar_run_meeting>(join_processes(*process));
}

}  // namespace boxcar::detail::ofi

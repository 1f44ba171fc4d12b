#include "substrate/ofi/boxcar_run_bootstrap.hpp"

#include <cstring>
#include <span>
#include <utility>

#include "substrate/environment.hpp"
#include "substrate/ofi/bootstraps.hpp"
#include "substrate/processes/join.hpp"

namespace boxcar::detail::ofi {

std::vector<std::string> boxcar_run_bootstrap::gather_here(const std::string& mine, int root) {
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

void boxcar_run_bootstrap::keep(std::vector<std::string> published) {
  published_.push_back(std::move(published));
  ++fence_count_;
  reason_.clear();  // reason of an earlier world
}

void boxcar_run_bootstrap::publish(const std::string& mine) {
  keep(gather_here(mine, every_pe));
}

std::unique_ptr<bootstrap> bootstrap_by_boxcar_run() {
  const auto process = launched_by_boxcar();
  if (!process || process->hosts) return nullptr;
  return std::make_unique<boxcar_run_bootstrap>(join_processes(*process));
}

}  // namespace boxcar::detail::ofi

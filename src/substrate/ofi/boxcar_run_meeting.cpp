#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "substrate/environment.hpp"
#include "substrate/ofi/meetings.hpp"
#include "substrate/processes/join.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::ofi {
namespace {

// In the world of the PEs on shared memory, which is there beside that on libfabric, and by which
// the launcher sees who takes part.
class boxcar_run_meeting final : public meeting {
 public:
  explicit boxcar_run_meeting(std::unique_ptr<substrate> world) : world_(std::move(world)) {}

  [[nodiscard]] const char* name() const override { return "boxcar run"; }
  [[nodiscard]] int rank() const override { return world_->rank(); }
  [[nodiscard]] int size() const override { return world_->size(); }
  [[nodiscard]] int nodes() const override { return world_->layout().nodes(); }

  void show(const std::string& mine) override {
    std::vector<std::string>& all = shown_.emplace_back(static_cast<std::size_t>(size()));
    world_->gather(std::as_bytes(std::span(mine)), every_pe,
                   [&all](int pe, std::size_t bytes) {
                     std::string& text = all[static_cast<std::size_t>(pe)];
                     text.resize(bytes);
                     return reinterpret_cast<std::byte*>(text.data());
                   },
                   {});
    ++turns_;
    reason_.clear();  // of a world before
  }
  [[nodiscard]] std::string shown_by(int pe, int turn) override {
    return shown_[static_cast<std::size_t>(turn)][static_cast<std::size_t>(pe)];
  }

  void check_failure() override { world_->check_failure(); }
  void note_failure(const std::string& reason) noexcept override { reason_ = reason; }
  void tell_launcher() noexcept override {
    if (!reason_.empty()) world_->fail(reason_);
  }
  void end(int status, bool is_in_world) noexcept override {
    // Who has left in the middle has not departed, as the launcher is to see.
    if (status == 0 && !is_in_world) world_->depart();
  }

 private:
  std::unique_ptr<substrate> world_;
  std::vector<std::vector<std::string>> shown_;  // in each turn, by each PE
  std::string reason_;
};

}  // namespace

std::unique_ptr<meeting> meet_by_boxcar_run() {
  const auto process = launched_by_boxcar();
  if (!process) return nullptr;
  return std::make_unique<boxcar_run_meeting>(join_processes(*process));
}

}  // namespace boxcar::detail::ofi

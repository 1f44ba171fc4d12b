// The bootstrap of the PEs of one `boxcar run` on one machine: the PEs exchange data
// through shared memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "substrate/ofi/bootstrap.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::ofi {

// A boxcar_run_bootstrap uses the PEs' world on shared memory, beside the world on libfabric. The
// launcher sees in the shared memory which PEs take part.
class boxcar_run_bootstrap : public bootstrap {
 public:
  explicit boxcar_run_bootstrap(std::unique_ptr<substrate> world) : world_(std::move(world)) {}

  [[nodiscard]] const char* name() const override { return "boxcar run"; }
  [[nodiscard]] int rank() const override { return world_->rank(); }
  [[nodiscard]] int size() const override { return world_->size(); }
  [[nodiscard]] int nodes() const override { return world_->layout().nodes(); }

  // A job of several hosts (hosts_bootstrap.cpp) is larger than the shared-memory world of one
  // host.
  [[nodiscard]] bool is_on_one_machine() final { return size() == world_->size(); }

  void publish(const std::string& mine) override;
  [[nodiscard]] std::string lookup(int pe, int turn) override {
    return published_[static_cast<std::size_t>(turn)][static_cast<std::size_t>(pe)];
  }

  void reduce(std::span<std::byte> value,
              const std::function<void(std::byte*, const std::byte*)>& combine) final {
    world_->all_reduce(value, combine);
  }

  void check_failure() override { world_->check_failure(); }
  void note_failure(const std::string& reason) noexcept override { reason_ = reason; }
  void tell_launcher() noexcept override {
    if (!reason_.empty()) world_->fail(reason_);
  }
  void end(int status, bool is_in_world) noexcept override {
    // The launcher must see: a PE that exits in the middle of a world has not departed.
    if (status == 0 && !is_in_world) world_->depart();
  }

 protected:
  // Collective over the PEs of this machine. Returns the texts of all PEs by rank: to `root` only,
  // or to all PEs (every_pe).
  std::vector<std::string> gather_here(const std::string& mine, int root);
  [[nodiscard]] substrate& here() const { return *world_; }
  // Adds a turn with the texts of all PEs of the job.
  void keep(std::vector<std::string> published);

 private:
  std::unique_ptr<substrate> world_;
  std::vector<std::vector<std::string>> published_;  // by turn and PE
  std::string reason_;
};

}  // namespace boxcar::detail::ofi

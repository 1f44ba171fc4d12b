// The PEs that one launcher of ours has started on one machine meet in its memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "substrate/ofi/meeting.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::ofi {

// In the world of the PEs on shared memory, which is there beside that on libfabric, and by which
// the launcher sees who takes part.
class boxcar_run_meeting : public meeting {
 public:
  explicit boxcar_run_meeting(std::unique_ptr<substrate> world) : world_(std::move(world)) {}

  [[nodiscard]] const char* name() const override { return "boxcar run"; }
  [[nodiscard]] int rank() const override { return world_->rank(); }
  [[nodiscard]] int size() const override { return world_->size(); }
  [[nodiscard]] int nodes() const override { return world_->layout().nodes(); }

  // (That of several hosts, see hosts_meeting.cpp, is larger than the world of one.)
  [[nodiscard]] bool is_on_one_machine() final { return size() == world_->size(); }

  void show(const std::string& mine) override;
  [[nodiscard]] std::string shown_by(int pe, int turn) override {
    return shown_[static_cast<std::size_t>(turn)][static_cast<std::size_t>(pe)];
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
    // Who has left in the middle has not departed, as the launcher is to see.
    if (status == 0 && !is_in_world) world_->depart();
  }

 protected:
  // Collective over the PEs of this machine: what each of them gives, by rank; only `root` gets it,
  // or all do.
  std::vector<std::string> gather_here(const std::string& mine, int root);
  [[nodiscard]] substrate& here() const { return *world_; }
  // What has been shown in one more turn, by each PE of the job.
  void keep(std::vector<std::string> shown);

 private:
  std::unique_ptr<substrate> world_;
  std::vector<std::vector<std::string>> shown_;  // in each turn, by each PE
  std::string reason_;
};

}  // namespace boxcar::detail::ofi

// A job whose PEs are all on one node has no use for libfabric, which takes long to open: its
// world is made by what has started it.
#pragma once

#include "substrate/cluster/job_start.hpp"
#include "substrate/ofi/meeting.hpp"

namespace boxcar::detail::ofi {

// Where the PEs of a job are.
struct job_extent {
  // All PEs can share memory, and each of them could do without a network, for all that it was
  // asked for.
  bool is_one_node = false;
  // All PEs reach one another by the loopback device of one machine, though the nodes may be
  // pretended ones: no endpoint of the job needs an address that other machines see.
  bool is_one_machine = false;
};

// Collective over the job, the same on all PEs.
[[nodiscard]] job_extent find_extent(meeting& job, bool could_do_without);

class one_node final : public job_start {
 public:
  explicit one_node(meeting& job) : job_(job) {}

  [[nodiscard]] const char* name() const override { return "ofi"; }
  [[nodiscard]] int rank() const override { return job_.rank(); }
  [[nodiscard]] int size() const override { return job_.size(); }
  void require_many_threads() const override {}  // what is shared by threads is not used
  void reduce_at_start(std::span<std::byte> value,
                       const std::function<void(std::byte*, const std::byte*)>& combine) override {
    job_.reduce(value, combine);
  }

 private:
  meeting& job_;
};

}  // namespace boxcar::detail::ofi

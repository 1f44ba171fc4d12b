// A job with all PEs on one node needs no libfabric, and opening libfabric takes long: the job's
// bootstrap alone makes the world.
#pragma once

#include "substrate/cluster/job_start.hpp"
#include "substrate/ofi/bootstrap.hpp"

namespace boxcar::detail::ofi {

// The placement of the PEs of a job.
struct job_extent {
  // All PEs can share memory, and the settings of no PE require a network.
  bool is_one_node = false;
  // All PEs reach each other by the loopback device of a single machine, though the nodes may be
  // pretended: no endpoint of the job needs an address visible to other machines.
  bool is_one_machine = false;
};

// Collective over the job. Returns the same value on all PEs.
[[nodiscard]] job_extent find_extent(bootstrap& job, bool could_do_without);

class one_node final : public job_start {
 public:
  explicit one_node(bootstrap& job) : job_(job) {}

  [[nodiscard]] const char* name() const override { return "ofi"; }
  [[nodiscard]] int rank() const override { return job_.rank(); }
  [[nodiscard]] int size() const override { return job_.size(); }
  void require_many_threads() const override {}  // the object uses nothing shared by threads
  void reduce_at_start(std::span<std::byte> value,
                       const std::function<void(std::byte*, const std::byte*)>& combine) override {
    job_.reduce(value, combine);
  }

 private:
  bootstrap& job_;
};

}  // namespace boxcar::detail::ofi

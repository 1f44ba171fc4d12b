// A job_start gives access to a job before any world exists: the job's PEs, and a reduction over
// the PEs. One object per PE. PEs are named by their rank in the job.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace boxcar::detail {

class job_start {
 public:
  virtual ~job_start() = default;

  // Returns the name of the network, "mpi" for instance.
  [[nodiscard]] virtual const char* name() const = 0;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  // Throws argument_error unless several threads of a PE may call the job's library at a time.
  virtual void require_many_threads() const = 0;

  // Collective over the job, and only while the job's world is being made: reduces as all_reduce of
  // a substrate does. Returns when all PEs have called, also if there are no bytes. May block in
  // the library. Throws system_error, or world_error if the job has failed.
  virtual void reduce_at_start(
      std::span<std::byte> value,
      const std::function<void(std::byte*, const std::byte*)>& combine) = 0;

  // A counterpart_finder returns the counterpart of `mine` in another PE of the node (see
  // substrate), or nullptr if there is no counterpart. The finder outlives the job's start; it
  // throws contract_error when the job's library has been finalized.
  using counterpart_finder = std::byte* (*)(std::byte* mine, int pe);
  [[nodiscard]] virtual counterpart_finder finds_counterparts() const { return nullptr; }
};

}  // namespace boxcar::detail

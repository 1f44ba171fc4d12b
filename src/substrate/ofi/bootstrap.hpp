// The bootstrap of a job: the PEs exchange addresses through their launcher before libfabric can
// send a message. Each kind of launcher has a class derived from bootstrap; a process has one
// object.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace boxcar::detail::ofi {

class bootstrap {
 public:
  virtual ~bootstrap() = default;

  // Returns the launcher's name, for messages: "boxcar run", "PMIx".
  [[nodiscard]] virtual const char* name() const = 0;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  // Returns into how many pretended nodes the launcher has divided the PEs.
  [[nodiscard]] virtual int nodes() const { return 1; }
  // Returns whether all PEs are on one machine, according to the launcher: the same answer on all
  // PEs.
  [[nodiscard]] virtual bool is_on_one_machine() = 0;

  // Collective over the job, any number of times: publishes `mine` to all PEs. Returns when all PEs
  // have published; waits without holding a core. Throws system_error, or world_error if the job
  // has failed.
  virtual void publish(const std::string& mine) = 0;
  // Returns the text of PE `pe` in `publish` number `turn`, counted from 0. Local; may wait for the
  // launcher. Throws system_error.
  [[nodiscard]] virtual std::string lookup(int pe, int turn) = 0;
  // Collective over the job, for PEs of one machine: like all_reduce of a substrate. Throws as
  // `publish` does.
  virtual void reduce(std::span<std::byte> value,
                      const std::function<void(std::byte*, const std::byte*)>& combine);
  // Returns how often this PE has called `publish`.
  [[nodiscard]] int fence_count() const { return fence_count_; }

  // Throws world_error if the launcher has reported a failure of the job to this PE.
  virtual void check_failure() {}
  // Records the failure of this PE's world, for the reason `reason`. The program may catch the
  // error and go on.
  virtual void note_failure(const std::string& /*reason*/) noexcept {}
  // Records a report of another PE about its own failure.
  virtual void note_failure_elsewhere() noexcept {}
  // The process ends because of its own failure. Reports the failure to the launcher, if this PE
  // failed first.
  virtual void tell_launcher() noexcept {}
  // The process ends with the exit status `status`; `is_in_world`: the PE has not left its world.
  virtual void end(int status, bool is_in_world) noexcept = 0;

 protected:
  int fence_count_ = 0;
};

}  // namespace boxcar::detail::ofi

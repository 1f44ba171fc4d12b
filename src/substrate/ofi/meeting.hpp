// How the PEs of a job find one another before libfabric can bring a message: by the one who has
// started them. One for each way to be started; one object per process.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace boxcar::detail::ofi {

class meeting {
 public:
  virtual ~meeting() = default;

  // What has started the job, for messages: "boxcar run", "PMIx".
  [[nodiscard]] virtual const char* name() const = 0;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  // Into so many pretended nodes the launcher has divided the PEs.
  [[nodiscard]] virtual int nodes() const { return 1; }
  // The launcher says that it has started all PEs on one machine: the same on all of them.
  [[nodiscard]] virtual bool is_on_one_machine() = 0;

  // Collective over the job, any number of times: shows a few bytes to all. Returns when all have
  // shown theirs; waits without holding a core. Throws system_error, or world_error if the job has
  // failed.
  virtual void show(const std::string& mine) = 0;
  // What another PE has shown in the latest `show`, or in one before that if `turn` says so: they
  // are counted from 0. Local; may wait for the launcher. Throws system_error.
  [[nodiscard]] virtual std::string shown_by(int pe, int turn) = 0;
  // Collective over the job, for PEs of one machine: as a substrate's all_reduce. Throws the same
  // as `show`.
  virtual void reduce(std::span<std::byte> value,
                      const std::function<void(std::byte*, const std::byte*)>& combine);
  // How often this PE has shown something.
  [[nodiscard]] int turns() const { return turns_; }

  // Throws world_error if the launcher has let this PE know that the job has failed.
  virtual void check_failure() {}
  // This PE has failed its world, for this reason. The program may catch that and go on.
  virtual void note_failure(const std::string& /*reason*/) noexcept {}
  // Another PE has told this one that it has failed.
  virtual void note_failure_elsewhere() noexcept {}
  // The process ends because of its own failure: lets the launcher know, if it was this PE that
  // failed first.
  virtual void tell_launcher() noexcept {}
  // The process ends, with this exit status; `is_in_world`: in the middle of one.
  virtual void end(int status, bool is_in_world) noexcept = 0;

 protected:
  int turns_ = 0;
};

}  // namespace boxcar::detail::ofi

// The runs of a collective or a schedule, for the trace.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "trace/trace_log.hpp"

namespace boxcar::detail {

class traced_runs {
 public:
  // Records go into `log`, unless the pointer is null.
  void record_to(std::shared_ptr<trace_log> log, const char* kind, std::string about) {
    if (log == nullptr) return;
    object_ = log->add_object(kind, {}, std::move(about));
    log_ = std::move(log);
  }
  void began() {
    if (log_ == nullptr) return;
    log_->run_began(object_, ++runs_);
    is_under_way_ = true;
  }
  // The PE has found that the run is over.
  void ended() {
    if (log_ != nullptr && std::exchange(is_under_way_, false)) log_->run_ended(object_, runs_);
  }

 private:
  std::shared_ptr<trace_log> log_;
  std::uint32_t object_ = 0;
  std::uint64_t runs_ = 0;
  bool is_under_way_ = false;
};

}  // namespace boxcar::detail

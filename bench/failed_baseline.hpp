// A placeholder for a missing baseline, so that the reason is reported as any other failure.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "baseline.hpp"

namespace boxcar::bench {

class failed_baseline final : public baseline {
 public:
  // `why` is nothing on a PE without a reason.
  failed_baseline(std::string name, std::optional<std::string> why, bench::job& work)
      : name_(std::move(name)), why_(std::move(why)), job_(work) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void prepare() override {
    if (why_) throw std::runtime_error(*why_);
  }
  void run() override {}

 private:
  std::string name_;
  std::optional<std::string> why_;
  bench::job& job_;
};

// Calls `action`, and returns its exception; nothing if there is none.
template <typename Action>
std::optional<std::string> failure_of(const Action& action) {
  try {
    action();
  } catch (const std::exception& e) {
    return e.what();
  }
  return std::nullopt;
}

}  // namespace boxcar::bench

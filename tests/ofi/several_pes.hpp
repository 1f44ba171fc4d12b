// The endpoints of several PEs in one process, for the tests of what uses endpoints.
#pragma once

#include <chrono>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ofi/pretending_provider.hpp"
#include "substrate/ofi/endpoint.hpp"

namespace boxcar::detail::ofi {

using published_texts = std::vector<std::string>;

// The wire-up of one of several PEs in one process.
class test_bootstrap final : public bootstrap {
 public:
  test_bootstrap(int rank, published_texts& all) : rank_(rank), all_(all) {}
  [[nodiscard]] const char* name() const override { return "a test"; }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return static_cast<int>(all_.size()); }
  [[nodiscard]] bool is_on_one_machine() override { return true; }
  void publish(const std::string& mine) override {
    all_[static_cast<std::size_t>(rank_)] = mine;
    ++fence_count_;
  }
  [[nodiscard]] std::string lookup(int pe, int /*turn*/) override {
    return all_[static_cast<std::size_t>(pe)];
  }
  void end(int /*status*/, bool /*is_in_world*/) noexcept override {}

 private:
  int rank_;
  published_texts& all_;
};

class several_pes {
 public:
  several_pes(int pes, const std::string& provider, const char* pretended = "nothing")
      : published_(static_cast<std::size_t>(pes)) {
    test::pretend(test::pretence_named(pretended));
    for (int pe = 0; pe < pes; ++pe) {
      bootstraps_.push_back(std::make_unique<test_bootstrap>(pe, published_));
      endpoints_.push_back(std::make_unique<endpoint>(*bootstraps_.back(), provider, true));
    }
  }
  several_pes(const several_pes&) = delete;
  several_pes& operator=(const several_pes&) = delete;
  ~several_pes() {
    endpoints_.clear();
    EXPECT_EQ(test::take_violations(), std::vector<std::string>());
  }
  [[nodiscard]] endpoint& at(int pe) { return *endpoints_[static_cast<std::size_t>(pe)]; }
  void end(int pe) { endpoints_[static_cast<std::size_t>(pe)].reset(); }
  [[nodiscard]] std::string& lookup(int pe) { return published_[static_cast<std::size_t>(pe)]; }

  void poll_all() {
    for (auto& e : endpoints_) {
      if (e != nullptr) e->poll_now();
    }
  }
  // Polls until the condition holds. Returns false after a time limit.
  template <typename Condition>
  bool poll_until(const Condition& is_so) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!is_so()) {
      if (std::chrono::steady_clock::now() > until) return false;
      poll_all();
    }
    return true;
  }

 private:
  published_texts published_;
  std::vector<std::unique_ptr<test_bootstrap>> bootstraps_;
  std::vector<std::unique_ptr<endpoint>> endpoints_;
};

// Names the two providers of the tests: the default provider, and a provider behind a layer. Every
// libfabric has both.
inline const char* name_in_test(std::string_view provider) {
  return provider.empty() ? "the_chosen" : "tcp_behind_ofi_rxm";
}

}  // namespace boxcar::detail::ofi

// The items of a job sent by a stream of arrays, each item as an array of its bytes, as a program
// does whose items have different lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "contender.hpp"

namespace boxcar::bench {

template <typename Job>
class by_array_stream final : public contender {
  using item_type = typename Job::item_type;

 public:
  // Collective.
  by_array_stream(std::string name, const world& w, const stream_options& options, Job& job)
      : name_(std::move(name)),
        job_(job),
        stream_(
            w,
            [&job](std::span<const std::byte> array) {
              item_type item;
              std::memcpy(&item, array.data(), sizeof item);
              job.apply(item);
            },
            options) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bench::role role() const override { return bench::role::boxcar; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void run() override {
    const session s = stream_.begin();
    const std::uint64_t n = job_.items();
    for (std::uint64_t i = 0; i < n; ++i) {
      const item_type item = job_.at(i);
      stream_.send_array(std::as_bytes(std::span(&item, 1)), job_.destination(i));
    }
    stream_.finish();
  }
  [[nodiscard]] std::vector<statistics> traffic() const override {
    const stream_statistics now = stream_.session_statistics();
    statistics s;
    s.hops = now.stages;
    s.memory_bytes = now.memory_bytes;
    return {s};
  }
  [[nodiscard]] std::string explanation() const override { return stream_.explain(); }

 private:
  std::string name_;
  Job& job_;
  stream<std::byte[]> stream_;
};

}  // namespace boxcar::bench

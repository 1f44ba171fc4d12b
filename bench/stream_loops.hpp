// The items of a job sent by a stream, whose handler processes them on arrival.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "contender.hpp"
#include "setting.hpp"

namespace boxcar::bench {

// The streams of a setting. Its hops are the dimensions of their grid; 0: the route is chosen.
inline stream_options stream_options_of(const world& w, const setting& s) {
  stream_options options{.buffer_bytes = s.buffer_bytes, .buffers_per_link = s.buffers};
  const int per_node = w.size() % w.nodes() == 0 ? w.size() / w.nodes() : 1;
  if (s.hops != 0) {
    options.way = route::balanced(w.size(), s.hops, s.group != 0 ? s.group : per_node);
  }
  return options;
}

template <typename Job>
class by_stream final : public contender {
  using item_type = typename Job::item_type;

 public:
  // Collective.
  by_stream(std::string name, const world& w, const stream_options& options, Job& job,
            const termination& ending = staged(1))
      : name_(std::move(name)),
        job_(job),
        ending_(ending),
        stream_(
            w, [&job](const item_type& item) { job.apply(item); }, options) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bench::role role() const override { return bench::role::boxcar; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void run() override {
    const session s = stream_.begin(ending_);
    const std::uint64_t n = job_.items();
    for (std::uint64_t i = 0; i < n; ++i) stream_.send(job_.at(i), job_.destination(i));
    if (ending_.kind != termination_kind::quiescence) stream_.done();
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
  termination ending_;
  stream<item_type> stream_;
};

// Collective. Has no effect if the setting gives a kind: the kinds are kinds of conveyors.
template <typename Job>
void put_stream_first(std::vector<std::unique_ptr<contender>>& forms, const char* name,
                      const world& w, const setting& s, const stream_options& options, Job& job) {
  if (s.kind != carrier::automatic) return;
  forms.insert(forms.begin(), std::make_unique<by_stream<Job>>(name, w, options, job));
}

}  // namespace boxcar::bench

// The items of a job sent by a stream, whose handler processes them on arrival.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
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

// A job whose items travel by a stream of some type. `send_items` sends the items of a session.
template <typename Job, typename Stream>
class stream_contender : public contender {
 public:
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bench::role role() const override { return bench::role::boxcar; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void run() override {
    const session s = stream_.begin(ending_);
    send_items(job_, stream_);
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

 protected:
  // Collective.
  template <typename Handler>
  stream_contender(std::string name, const world& w, const stream_options& options, Job& job,
                   const termination& ending, Handler handler)
      : name_(std::move(name)),
        job_(job),
        ending_(ending),
        stream_(w, std::move(handler), options) {}

 private:
  virtual void send_items(Job& job, Stream& stream) = 0;

  std::string name_;
  Job& job_;
  termination ending_;
  Stream stream_;
};

template <typename Job>
class by_stream final : public stream_contender<Job, stream<typename Job::item_type>> {
  using items = stream<typename Job::item_type>;

 public:
  // Collective.
  by_stream(std::string name, const world& w, const stream_options& options, Job& job,
            const termination& ending = staged(1))
      : stream_contender<Job, items>(
            std::move(name), w, options, job, ending,
            [&job](const typename Job::item_type& item) { job.apply(item); }) {}

 private:
  void send_items(Job& job, items& stream) override {
    const std::uint64_t n = job.items();
    for (std::uint64_t i = 0; i < n; ++i) stream.send(job.at(i), job.destination(i));
  }
};

// Each item travels as an array of its bytes, as in a program whose items have different lengths.
template <typename Job>
class by_array_stream final : public stream_contender<Job, stream<std::byte[]>> {
 public:
  // Collective.
  by_array_stream(std::string name, const world& w, const stream_options& options, Job& job)
      : stream_contender<Job, stream<std::byte[]>>(std::move(name), w, options, job, quiescence(),
                                                   [&job](std::span<const std::byte> array) {
                                                     typename Job::item_type item;
                                                     std::memcpy(&item, array.data(), sizeof item);
                                                     job.apply(item);
                                                   }) {}

 private:
  void send_items(Job& job, stream<std::byte[]>& stream) override {
    const std::uint64_t n = job.items();
    for (std::uint64_t i = 0; i < n; ++i) {
      const typename Job::item_type item = job.at(i);
      stream.send_array(std::as_bytes(std::span(&item, 1)), job.destination(i));
    }
  }
};

// Collective. Has no effect if the setting gives a kind: the kinds are kinds of conveyors.
template <typename Job>
void put_stream_first(std::vector<std::unique_ptr<contender>>& forms, const char* name,
                      const world& w, const setting& s, const stream_options& options, Job& job) {
  if (s.kind != carrier::automatic) return;
  forms.insert(forms.begin(), std::make_unique<by_stream<Job>>(name, w, options, job));
}

}  // namespace boxcar::bench

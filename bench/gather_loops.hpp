// The loops of a user to ask for the values of a job, in all forms of the interface. They use the
// public headers of Boxcar, and nothing else of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "contender.hpp"
#include "setting.hpp"

namespace boxcar::bench {

// --- The loops -----------------------------------------------------------------------------------

// Replies come in the order of the queries.
template <typename Job>
void ask_all(biconveyor<typename Job::query_type, typename Job::reply_type>& c, Job& job) {
  const session s = c.begin([&](const typename Job::query_type& q) { return job.answer(q); });
  const std::uint64_t n = job.items();
  std::uint64_t asked = 0;
  std::uint64_t received = 0;
  while (c.advance(asked == n)) {
    for (; asked < n; ++asked) {
      if (!c.push(job.query(asked), job.destination(asked))) break;
    }
    for (typename Job::reply_type reply; c.pull(reply); ++received) job.receive(received, reply);
  }
}

// Asks all queries by an elastic biconveyor, whose queries and replies could each have another
// size.
template <typename Job>
void ask_all(elastic_biconveyor& c, Job& job) {
  using query_type = typename Job::query_type;
  using reply_type = typename Job::reply_type;
  const session s = c.begin([&](std::span<const std::byte> bytes, elastic_reply& reply) {
    query_type query;
    std::memcpy(&query, bytes.data(), sizeof query);
    const reply_type answer = job.answer(query);
    std::memcpy(reply.resize(sizeof answer).data(), &answer, sizeof answer);
  });
  const std::uint64_t n = job.items();
  std::uint64_t asked = 0;
  std::uint64_t received = 0;
  while (c.advance(asked == n)) {
    for (; asked < n; ++asked) {
      const query_type query = job.query(asked);
      if (!c.push(std::as_bytes(std::span(&query, 1)), job.destination(asked))) break;
    }
    for (; const auto arrived = c.pull(); ++received) {
      reply_type reply;
      std::memcpy(&reply, arrived->data(), sizeof reply);
      job.receive(received, reply);
    }
  }
}

// The convenient form.
template <typename Job>
inquiry_statistics exchange_all_with_replies(const world& w, Job& job,
                                             const conveyor_options& options) {
  using query_type = typename Job::query_type;
  using reply_type = typename Job::reply_type;
  return exchange<query_type>(
      w,
      [&](auto& ask) {
        const std::uint64_t n = job.items();
        for (std::uint64_t i = 0; i < n; ++i) ask.push(job.query(i), job.destination(i), i);
      },
      [&](const query_type& query) { return job.answer(query); },
      [&](const reply_type& reply, std::uint64_t i) { job.receive(i, reply); }, options);
}

// --- Contenders with these loops -----------------------------------------------------------------

template <typename Job, typename Biconveyor>
class by_biconveyor final : public contender {
 public:
  template <typename... Arguments>
  by_biconveyor(std::string name, Job& job, const Arguments&... arguments)
      : name_(std::move(name)), conveyor_(arguments...), job_(job) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bench::role role() const override { return bench::role::boxcar; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void run() override { ask_all(conveyor_, job_); }
  [[nodiscard]] std::vector<statistics> traffic() const override {
    return {conveyor_.query_statistics(), conveyor_.reply_statistics()};
  }
  [[nodiscard]] std::string explanation() const override { return conveyor_.explain(); }

 private:
  std::string name_;
  Biconveyor conveyor_;
  Job& job_;
};

// Makes its conveyors each time, as `exchange` does.
template <typename Job>
class by_exchange_with_replies final : public contender {
 public:
  by_exchange_with_replies(const world& w, const conveyor_options& options, Job& job)
      : world_(w), options_(options), job_(job) {}

  [[nodiscard]] std::string name() const override { return "exchange"; }
  [[nodiscard]] bench::role role() const override { return bench::role::boxcar; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void run() override { did_ = exchange_all_with_replies(world_, job_, options_); }
  [[nodiscard]] std::vector<statistics> traffic() const override {
    return {did_.queries, did_.replies};
  }

 private:
  const world& world_;
  conveyor_options options_;
  Job& job_;
  inquiry_statistics did_;
};

// Collective. Returns all forms for the setting.
template <typename Job>
std::vector<std::unique_ptr<contender>> gather_forms(const world& w, const setting& s, Job& job) {
  using query_type = typename Job::query_type;
  using reply_type = typename Job::reply_type;
  const conveyor_options options = options_of(s);
  std::vector<std::unique_ptr<contender>> forms;
  if (s.kind == carrier::elastic) {
    forms.push_back(std::make_unique<by_biconveyor<Job, elastic_biconveyor>>(
        "elastic biconveyor", job, w, sizeof(query_type), sizeof(reply_type), options));
  } else {
    forms.push_back(std::make_unique<by_biconveyor<Job, biconveyor<query_type, reply_type>>>(
        "biconveyor", job, w, options));
    forms.push_back(std::make_unique<by_exchange_with_replies<Job>>(w, options, job));
  }
  return forms;
}

}  // namespace boxcar::bench

// The loops of a user to send the items of a job, in all forms of the interface. They use the
// public headers of Boxcar, and nothing else of it.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "contender.hpp"
#include "setting.hpp"

namespace boxcar::bench {

// --- The loops -----------------------------------------------------------------------------------

// Figure 3 of the conveyors paper.
template <typename Job>
void send_all(conveyor<typename Job::item_type>& c, Job& job) {
  const session s = c.begin();
  const std::uint64_t n = job.items();
  std::uint64_t i = 0;
  while (c.advance(i == n)) {
    for (; i < n; ++i) {
      if (!c.push(job.at(i), job.destination(i))) break;
    }
    for (typename Job::item_type item; c.pull(item);) job.apply(item);
  }
}

// Sends all items, and takes all arrivals with pull_all.
template <typename Job>
void send_all_and_pull_all(conveyor<typename Job::item_type>& c, Job& job) {
  const session s = c.begin();
  const std::uint64_t n = job.items();
  std::uint64_t i = 0;
  while (c.advance(i == n)) {
    for (; i < n; ++i) {
      if (!c.push(job.at(i), job.destination(i))) break;
    }
    c.pull_all([&job](const typename Job::item_type& item) { job.apply(item); });
  }
}

// Sends all items by an elastic conveyor, whose items could each have another size.
template <typename Job>
void send_all_elastic(elastic_conveyor& c, Job& job) {
  using item_type = typename Job::item_type;
  const session s = c.begin();
  const std::uint64_t n = job.items();
  std::uint64_t i = 0;
  while (c.advance(i == n)) {
    for (; i < n; ++i) {
      const item_type item = job.at(i);
      if (!c.push(std::as_bytes(std::span(&item, 1)), job.destination(i))) break;
    }
    while (const auto arrived = c.pull()) {
      item_type item;
      std::memcpy(&item, arrived->bytes.data(), sizeof item);
      job.apply(item);
    }
  }
}

// The convenient form.
template <typename Job>
statistics exchange_all(const world& w, Job& job, const conveyor_options& options) {
  using item_type = typename Job::item_type;
  return exchange<item_type>(
      w,
      [&](auto& out) {
        const std::uint64_t n = job.items();
        for (std::uint64_t i = 0; i < n; ++i) out.push(job.at(i), job.destination(i));
      },
      [&](const item_type& item) { job.apply(item); }, options);
}

// --- Contenders with these loops -----------------------------------------------------------------

template <typename Job, typename Conveyor>
class by_loop final : public contender {
 public:
  using loop = void(Conveyor&, Job&);
  by_loop(std::string name, Conveyor c, Job& job, loop* l)
      : name_(std::move(name)), conveyor_(std::move(c)), job_(job), loop_(l) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bench::role role() const override { return bench::role::boxcar; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void run() override { loop_(conveyor_, job_); }
  [[nodiscard]] std::vector<statistics> traffic() const override {
    return {conveyor_.session_statistics()};
  }
  [[nodiscard]] std::string explanation() const override { return conveyor_.explain(); }

 private:
  std::string name_;
  Conveyor conveyor_;
  Job& job_;
  loop* loop_;
};

// Makes its conveyor each time, as `exchange` does.
template <typename Job>
class by_exchange final : public contender {
 public:
  by_exchange(const world& w, const conveyor_options& options, Job& job)
      : world_(w), options_(options), job_(job) {}

  [[nodiscard]] std::string name() const override { return "exchange"; }
  [[nodiscard]] bench::role role() const override { return bench::role::boxcar; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void run() override { did_ = exchange_all(world_, job_, options_); }
  [[nodiscard]] std::vector<statistics> traffic() const override { return {did_}; }

 private:
  const world& world_;
  conveyor_options options_;
  Job& job_;
  statistics did_;
};

// Collective. Returns all forms for the setting.
template <typename Job>
std::vector<std::unique_ptr<contender>> one_way_forms(const world& w, const setting& s, Job& job) {
  using item_type = typename Job::item_type;
  const conveyor_options options = options_of(s);
  std::vector<std::unique_ptr<contender>> forms;
  if (s.kind == carrier::elastic) {
    forms.push_back(std::make_unique<by_loop<Job, elastic_conveyor>>(
        "elastic conveyor", elastic_conveyor(w, sizeof(item_type), options), job,
        send_all_elastic<Job>));
  } else {
    forms.push_back(std::make_unique<by_loop<Job, conveyor<item_type>>>(
        "conveyor", conveyor<item_type>(w, options), job, send_all<Job>));
    forms.push_back(std::make_unique<by_loop<Job, conveyor<item_type>>>(
        "pull_all", conveyor<item_type>(w, options), job, send_all_and_pull_all<Job>));
    forms.push_back(std::make_unique<by_exchange<Job>>(w, options, job));
  }
  return forms;
}

}  // namespace boxcar::bench

#include "support/run_on.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <gtest/gtest.h>
#include <ostream>
#include <thread>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "launcher/job.hpp"
#include "support/run_simulated.hpp"
#include "support/shared_array.hpp"
#include "support/time_limit.hpp"

namespace boxcar::test {
namespace {

struct pe_record {
  ending end;
  int failed_expectations;  // of the PE, if it is a process
  char what[1000];
};

ending kind_of(const std::exception& e) {
  if (dynamic_cast<const argument_error*>(&e) != nullptr) return ending::argument_error;
  if (dynamic_cast<const contract_error*>(&e) != nullptr) return ending::contract_error;
  if (dynamic_cast<const world_error*>(&e) != nullptr) return ending::world_error;
  if (dynamic_cast<const system_error*>(&e) != nullptr) return ending::system_error;
  return ending::other_exception;
}

// Runs the body and records its exception, which passes through.
void note_ending(world& w, const std::function<void(world&)>& body, pe_record& record) {
  try {
    body(w);
    record.end = ending::returned;
  } catch (const std::exception& e) {
    std::strncpy(record.what, e.what(), sizeof record.what - 1);
    record.end = kind_of(e);
    throw;
  } catch (...) {
    record.end = ending::other_exception;
    throw;
  }
}

int failed_expectations() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return 0;
  int failed = 0;
  for (int i = 0; i < test->result()->total_part_count(); ++i) {
    failed += test->result()->GetTestPartResult(i).failed() ? 1 : 0;
  }
  return failed;
}

using recorded_body = std::function<void(world&)>;

void run_here(const std::function<void()>& run, world_report& report) {
  const time_limit limit(max_world);
  try {
    run();
  } catch (const std::exception& e) {
    report.failed = true;
    report.failure = e.what();
  } catch (...) {
    report.failed = true;
    report.failure = "something that is no std::exception";
  }
}

void run_on_processes(const world_shape& shape, const recorded_body& body,
                      shared_array<pe_record>& records, world_report& report) {
  const launcher::job_options options{.pes = shape.pes, .nodes = shape.nodes, .timeout = max_world};
  const int status = launcher::run_job(options, [&](int rank) {
    const int failed_before = failed_expectations();
    const int result = boxcar::run(body);
    records[rank].failed_expectations = failed_expectations() - failed_before;
    return result;
  });
  report.failed = status != 0;
  if (report.failed) report.failure = "exit status " + std::to_string(status);
  for (int pe = 0; pe < shape.pes; ++pe) {
    if (records[pe].failed_expectations == 0) continue;
    ADD_FAILURE() << records[pe].failed_expectations << " expectations failed on PE " << pe
                  << ", see above";
  }
}

// Every process of the job comes here, with the same tests in the same order.
void run_on_cluster(const world_shape& shape, const recorded_body& body, world_report& report) {
  const time_limit limit(max_world);
  shared_array<std::atomic<int>> counts(2);
  std::atomic<int>& ended = counts[0];
  std::atomic<int>& failed = counts[1];
  setenv("BOXCAR_NODES", std::to_string(shape.nodes).c_str(), 1);
  if (boxcar::run(body) != 0) ++failed;
  ++ended;
  // The report and the PEs' writes can be read only when all PEs have ended.
  while (ended < shape.pes) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  report.failed = failed != 0;
  if (report.failed) report.failure = "exit status 1 on " + std::to_string(failed) + " PEs";
}

}  // namespace

void PrintTo(ending end, std::ostream* out) {
  constexpr const char* names[] = {"unknown",        "returned",    "argument_error",
                                   "contract_error", "world_error", "system_error",
                                   "other_exception"};
  *out << names[static_cast<int>(end)];
}

world_report observe(const world_shape& shape, const std::function<void(world&)>& body) {
  shared_array<pe_record> records(static_cast<std::size_t>(shape.pes));
  const auto recorded = [&](world& w) { note_ending(w, body, records[w.rank()]); };
  world_report report;
  switch (shape.substrate) {
    case substrate_kind::threads:
      run_here([&] { boxcar::run(shape.pes, recorded, {.nodes = shape.nodes}); }, report);
      break;
    case substrate_kind::processes:
      run_on_processes(shape, recorded, records, report);
      break;
    case substrate_kind::cluster:
      run_on_cluster(shape, recorded, report);
      break;
    case substrate_kind::simulated:
      run_here([&] { run_simulated(shape, recorded); }, report);
      break;
  }
  for (int pe = 0; pe < shape.pes; ++pe) {
    report.pes.push_back({records[pe].end, records[pe].what});
  }
  return report;
}

void run_on(const world_shape& shape, const std::function<void(world&)>& body) {
  const world_report report = observe(shape, body);
  for (std::size_t pe = 0; pe < report.pes.size(); ++pe) {
    EXPECT_EQ(report.pes[pe].end, ending::returned) << "PE " << pe << ": " << report.pes[pe].what;
  }
  EXPECT_FALSE(report.failed) << report.failure;
}

}  // namespace boxcar::test

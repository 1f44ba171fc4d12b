// Prints the report of a benchmark with a failed baseline, for the test of the schema.
#include <iostream>
#include <stdexcept>

#include <boxcar/run.hpp>

#include "json.hpp"
#include "runner.hpp"

namespace {

using namespace boxcar::bench;

class no_job final : public job {
 public:
  [[nodiscard]] std::uint64_t items() const override { return 1; }
  [[nodiscard]] std::size_t item_bytes() const override { return 8; }
  void clear() override {}
  void check(boxcar::world&, std::uint64_t) const override {}
  void check_alone(std::uint64_t) const override {}
};

class failure final : public contender {
 public:
  explicit failure(no_job& work) : job_(work) {}
  [[nodiscard]] std::string name() const override { return "failure"; }
  [[nodiscard]] boxcar::bench::role role() const override { return boxcar::bench::role::baseline; }
  [[nodiscard]] boxcar::bench::job& job() override { return job_; }
  void run() override { throw std::runtime_error("this always fails"); }

 private:
  no_job& job_;
};

}  // namespace

int main() {
  request wanted;
  wanted.benchmark = "histogram";
  setting_result result{
      {.substrate = "threads", .pes = 1, .nodes = 1, .item_bytes = 8}, "threads", 1, {}};
  boxcar::run(1, [&](boxcar::world& w) {
    no_job work;
    std::vector<std::unique_ptr<contender>> contenders;
    contenders.push_back(std::make_unique<failure>(work));
    result.contenders = take_turns(w, contenders, {.rounds = 1});
  });
  // The result travels as from a PE to the reporting process.
  const setting_result received = result_from_json_line(json_line(result));
  std::cout << json_report(wanted, {.command = {"boxcar", "bench", "histogram"}}, {received}, true);
}

#include "measure.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "baseline.hpp"
#include "baseline_library.hpp"
#include "machine.hpp"
#include "runner.hpp"
#include "support/progress.hpp"
#include "text.hpp"

namespace boxcar::bench {
namespace {

// Collective.
std::unique_ptr<benchmark> make(const description& what, world& w, const setting& s) {
  const auto too_much = [&] {
    return system_error(
        "there is not enough memory for " + with_commas(s.items) + " items of a PE" +
        (s.table_bytes == 0 ? std::string() : " and a table of " + bytes_text(s.table_bytes)) +
        (s.columns == 0 ? std::string() : " and " + with_commas(s.columns) + " columns") +
        ": give less to --items" + (what.table == table_size::none ? "" : " or --table-bytes") +
        (what.columns == 0 ? "" : " or --columns"));
  };
  try {
    return what.make(w, s);
  } catch (const std::bad_alloc&) {
    throw too_much();
  } catch (const std::length_error&) {
    throw too_much();
  }
}

// Collective.
std::vector<std::unique_ptr<contender>> contenders_of(world& w, benchmark& b, benchmark& small,
                                                      const setting& s, const request& wanted) {
  std::vector<std::unique_ptr<contender>> all = b.ours();
  if (all.empty()) {
    check_that_there_are(w, {}, wanted);  // no contenders to compare with
  } else {
    for (auto& other : baselines_of(w, b.job(), small.job(), s, wanted)) {
      all.push_back(std::move(other));
    }
  }
  if (all.empty() || wants(wanted, "limit")) {
    auto limit = b.limit();
    if (limit != nullptr) {
      all.push_back(std::move(limit));
    } else if (std::ranges::find(wanted.baselines, "limit") != wanted.baselines.end()) {
      throw argument_error("the benchmark " + wanted.benchmark +
                           " has no limit: leave it out of --baselines");
    }
  }
  return all;
}

}  // namespace

setting_result measure(world& w, const setting& s, const request& wanted,
                       const place_in_sweep& place) {
  const description& what = benchmark_of(wanted.benchmark);
  setting_result result{
      s, std::string(w.substrate_name()), cores_of(w), {}, library_beneath(w.substrate_name())};
  std::unique_ptr<benchmark> b;
  std::unique_ptr<benchmark> small;
  std::vector<std::unique_ptr<contender>> contenders;
  try {
    b = make(what, w, s);
    small = make(what, w, smaller(what, s));
    contenders = contenders_of(w, *b, *small, s, wanted);
  } catch (const argument_error& e) {  // on all PEs: the setting is the same
    result.failure = e.what();
    return result;
  }
  constexpr std::size_t steps = 1000;  // of each setting
  examples::progress display(w, wanted.benchmark, steps * place.all,
                             std::chrono::steady_clock::now() - place.start);
  turns how;
  how.rounds = wanted.rounds;
  how.progress = [&](int done, int of) {
    const double share = static_cast<double>(done) / of;
    display.look(steps * place.before + static_cast<std::size_t>(steps * share));
  };
  result.contenders = take_turns(w, contenders, how);
  return result;
}

}  // namespace boxcar::bench

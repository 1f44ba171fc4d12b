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
#include "machine.hpp"
#include "runner.hpp"
#include "support/progress.hpp"
#include "text.hpp"

namespace boxcar::bench {
namespace {

// The same with fewer items, for contenders that need very long for each.
setting smaller(setting s) {
  constexpr std::uint64_t few = 10'000;
  s.items = std::min(s.items, few);
  return s;
}

// Collective.
std::unique_ptr<benchmark> make(const description& what, world& w, const setting& s) {
  const auto too_much = [&] {
    return system_error(
        "there is not enough memory for " + with_commas(s.items) + " items of a PE" +
        (s.table_bytes == 0 ? std::string() : " and a table of " + bytes_text(s.table_bytes)) +
        ": give less to --items" + (what.has_table ? " or --table-bytes" : ""));
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
                                                      const request& wanted) {
  std::vector<std::unique_ptr<contender>> all = b.ours();
  if (!all.empty()) {
    for (auto& other : baselines_of(w, b.job(), small.job(), wanted)) {
      all.push_back(std::move(other));
    }
  }
  if (all.empty() || wants(wanted, "limit")) all.push_back(b.limit());
  return all;
}

}  // namespace

setting_result measure(world& w, const setting& s, const request& wanted) {
  const description& what = benchmark_of(wanted.benchmark);
  const std::unique_ptr<benchmark> b = make(what, w, s);
  const std::unique_ptr<benchmark> small = make(what, w, smaller(s));
  const auto contenders = contenders_of(w, *b, *small, wanted);
  setting_result result{s, std::string(w.substrate_name()), cores_of(w), {}};
  examples::progress display(w, wanted.benchmark, 1000);
  turns how;
  how.rounds = wanted.rounds;
  how.progress = [&](int done, int of) {
    display.look(static_cast<std::uint64_t>(1000 * done / of));
  };
  result.contenders = take_turns(w, contenders, how);
  return result;
}

}  // namespace boxcar::bench

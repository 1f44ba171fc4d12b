#include "world/run_pe.hpp"

#include <memory>
#include <optional>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/progress.hpp"
#include "world/join.hpp"
#include "world/record.hpp"

namespace boxcar::detail {
namespace {

// A PE that runs another world is in nothing there, and what it does there is no part of its log.
class aside {
 public:
  aside() : call_(std::exchange(watch_.call, {})), log_(std::exchange(watch_.log, nullptr)) {}
  aside(const aside&) = delete;
  aside& operator=(const aside&) = delete;
  ~aside() {
    watch_.call = call_;
    watch_.log = std::move(log_);
  }

 private:
  pe_watch& watch_ = progress::of_this_pe().watch();
  current_call call_;
  std::shared_ptr<trace_log> log_;
};

}  // namespace

outcome run_pe(std::unique_ptr<substrate> substrate, const pe_function& function,
               bool with_helper) {
  const aside outer_world;
  const std::string who = substrate->pe_name(substrate->rank()) + ": ";
  std::optional<world> w(std::move(substrate));
  const auto whole = w->substrate();
  const auto failure = [&](const std::string& what) {
    // Of what this PE has told before, by itself, the world has kept the name.
    outcome result{true, 1, nullptr, what.starts_with(who) ? what : who + what};
    if (whole->fail(result.message)) result.cause = std::current_exception();
    whole->abandon();  // what the function had is gone
    return result;
  };
  std::optional<current_world_scope> here(*w);
  try {
    record_if_asked(*whole);
    if (with_helper) whole->get_helper();
    outcome result;
    result.status = function(*w);
    // What fails while the world ends is told as well.
    here.reset();
    w.reset();
    whole->end();
    return result;
  } catch (const std::exception& e) {
    return failure(e.what());
  } catch (...) {
    return failure("threw something that is no std::exception");
  }
}

void outcome_of_all::add(int rank, outcome one) {
  if (one.failed) {
    if (one.cause != nullptr || !all_.failed) all_ = std::move(one);
  } else if (!all_.failed && one.status != 0 && (rank_of_status_ < 0 || rank < rank_of_status_)) {
    rank_of_status_ = rank;
    all_.status = one.status;
  }
}

outcome outcome_of_all::take() && {
  // The function of the PE whose failure it was has caught it.
  if (all_.failed && all_.cause == nullptr) {
    all_.cause = std::make_exception_ptr(world_error(all_.message));
  }
  return std::move(all_);
}

}  // namespace boxcar::detail

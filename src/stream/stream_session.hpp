// Where a session of a stream stands on this PE, and which of its producers are done.
#pragma once

#include <cstdint>
#include <string>

#include <boxcar/termination.hpp>

#include "stream/census.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class stream_session {
 public:
  enum class stage {
    none,
    beginning,  // not all PEs are known to have begun
    on,
    over  // here; `finish` has not returned since
  };

  void start(const termination& ending);
  // Collective. Throws argument_error on all PEs unless all give the same, and it can be. Returns
  // when all have called it.
  void agree(substrate& world) const;

  [[nodiscard]] bool is_beginning() const { return stage_ == stage::beginning; }
  [[nodiscard]] bool is_on() const { return stage_ == stage::on || stage_ == stage::beginning; }
  [[nodiscard]] bool is_unfinished() const { return stage_ == stage::on || stage_ == stage::over; }
  void enter(stage next) { stage_ = next; }

  [[nodiscard]] termination_kind kind() const { return ending_.kind; }
  // Throws contract_error unless there is one.
  void require(const char* operation) const;

  // Producers of this PE, whose rank is `pe`, are done. Throws argument_error and contract_error.
  void declare_done(std::int64_t producers, int pe);
  [[nodiscard]] std::int64_t producers_done() const { return producers_done_; }
  // Stage by stage: all of this PE's are done, and nothing may be sent from here.
  [[nodiscard]] bool is_silent() const {
    return kind() == termination_kind::staged && producers_done_ == ending_.producers;
  }
  // Throws contract_error if some are not, stage by stage.
  void require_producers_done(int pe) const;

  // How many have begun, with this one.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  void count() { ++number_; }

  // Why it has ended though producers are missing, or are too many.
  [[nodiscard]] std::string describe_early_end(census::verdict found,
                                               std::int64_t producers_of_all) const;

 private:
  termination ending_;
  stage stage_ = stage::none;
  std::int64_t producers_done_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace boxcar::detail

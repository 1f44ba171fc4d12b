// The state of a stream's session on a PE, and the number of producers that are done.
#pragma once

#include <cstdint>
#include <string>

#include <boxcar/termination.hpp>

#include "stream/termination_detector.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class stream_session {
 public:
  enum class stage {
    none,
    beginning,  // the PE does not know yet whether all PEs have begun
    on,
    over  // over on the PE; `finish` has not returned yet
  };

  void start(const termination& ending);
  // Collective. Returns when all PEs have called it. Throws argument_error on all PEs unless all
  // arguments are equal and possible.
  void agree(substrate& world) const;

  [[nodiscard]] bool is_beginning() const { return stage_ == stage::beginning; }
  [[nodiscard]] bool is_on() const { return stage_ == stage::on || stage_ == stage::beginning; }
  [[nodiscard]] bool is_unfinished() const { return stage_ == stage::on || stage_ == stage::over; }
  void enter(stage next) { stage_ = next; }

  [[nodiscard]] termination_kind kind() const { return ending_.kind; }
  // Throws contract_error unless there is a session.
  void require(const char* operation) const;

  // Declares producers of the PE with rank `pe` as done. Throws argument_error and contract_error.
  void declare_done(std::int64_t producers, int pe);
  [[nodiscard]] std::int64_t producers_done() const { return producers_done_; }
  // Returns whether all producers of the PE are done in a staged session: then the PE may not send.
  [[nodiscard]] bool is_silent() const {
    return kind() == termination_kind::staged && producers_done_ == ending_.producers;
  }
  // Throws contract_error if producers of a staged session are not done.
  void require_producers_done(int pe) const;

  // Returns the number of sessions that have begun, with the current session.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  void count() { ++number_; }

  // Returns why the session has ended although producers are missing, or too many.
  [[nodiscard]] std::string describe_early_end(termination_detector::result found,
                                               std::int64_t producers_of_all) const;

 private:
  termination ending_;
  stage stage_ = stage::none;
  std::int64_t producers_done_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace boxcar::detail

#include "stream/stream_session.hpp"

#include <cstdint>

#include <boxcar/error.hpp>

#include "substrate/agreement.hpp"
#include "substrate/largest.hpp"

namespace boxcar::detail {
namespace {

// No sum of such numbers over the PEs of a world overflows.
constexpr std::int64_t most_producers = std::int64_t{1} << 40;

const char* name_of(termination_kind kind) {
  switch (kind) {
    case termination_kind::quiescence:
      return "quiescence";
    case termination_kind::counting:
      return "counting";
    case termination_kind::staged:
      return "staged";
  }
  return "?";
}

}  // namespace

void stream_session::start(const termination& ending) {
  ending_ = ending;
  producers_done_ = 0;
  stage_ = stage::beginning;
}

void stream_session::agree(substrate& world) const {
  const bool alone = kind() == termination_kind::staged;  // each PE counts its own producers
  // Nearly always all is well, and short sessions are frequent: the texts are made otherwise only.
  constexpr std::uint64_t kinds = 4;
  const auto producers = alone ? 0 : static_cast<std::uint64_t>(ending_.producers);
  const std::uint64_t mine = producers * kinds + static_cast<std::uint64_t>(kind());
  const bool is_possible = ending_.producers >= 0 && ending_.producers <= most_producers;
  const auto most = largest<3>(world, {mine, ~mine, is_possible ? 0u : 1u});
  if (most[0] == ~most[1] && most[2] == 0) return;
  const std::string text =
      std::string(name_of(kind())) + " with " + std::to_string(ending_.producers) + " producers";
  agreement same;
  if (!is_possible)
    same.object(text + ": give 0 or more, at most " + std::to_string(most_producers));
  same.on("", alone ? name_of(kind()) : text);
  same.require(world, "stream", "how a stream's session ends");
}

void stream_session::require(const char* operation) const {
  if (is_on()) return;
  throw contract_error(std::string(operation) + ": the stream has no session" +
                       (number_ == 0 ? "" : " any more") + ": call begin first");
}

void stream_session::declare_done(std::int64_t producers, int pe) {
  require("done");
  if (kind() == termination_kind::quiescence) {
    throw contract_error(
        "done: this session ends by quiescence; begin it with `counting` or `staged`");
  }
  if (producers < 1) {
    throw argument_error("done with " + std::to_string(producers) + " producers: give at least 1");
  }
  if (kind() == termination_kind::staged && producers > ending_.producers - producers_done_) {
    throw contract_error("done: " + std::to_string(producers_done_) + " and " +
                         std::to_string(producers) + " more producers, but PE " +
                         std::to_string(pe) + " has declared " + std::to_string(ending_.producers) +
                         " when the session began");
  }
  producers_done_ = producers > most_producers - producers_done_ ? most_producers + 1
                                                                 : producers_done_ + producers;
}

void stream_session::require_producers_done(int pe) const {
  if (kind() != termination_kind::staged || is_silent()) return;
  throw contract_error("finish: " + std::to_string(ending_.producers - producers_done_) + " of " +
                       std::to_string(ending_.producers) + " producers of PE " +
                       std::to_string(pe) + " have not called `done`");
}

std::string stream_session::describe_early_end(termination_detector::result found,
                                               std::int64_t producers_of_all) const {
  return "the session of a stream has ended, because " + std::to_string(producers_of_all) + " of " +
         std::to_string(ending_.producers) + " producers have called `done`" +
         (found == termination_detector::result::too_many_producers
              ? ""
              : " and no PE can call it any more: every PE is in `finish`, and no item is in "
                "flight");
}

}  // namespace boxcar::detail

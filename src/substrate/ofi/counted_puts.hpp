// The target PE of a counted put counts the put in a counter: the word delivered with the put
// (FI_REMOTE_CQ_DATA) names the counter. One object per endpoint.
//
// A counted put takes an entry in the completion queue of the target PE, without a receive there.
// So every PE reserves entries and grants a few, as credits, to each origin PE of counted puts,
// while entries are left. A grant lasts as long as the object, as origins count puts again and
// again. An origin has at most `granted` counted puts in flight to a target; the target sends an
// answer after every few puts. An origin without a grant uses requests instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boxcar/detail/pe_table.hpp>

#include "substrate/ofi/answers.hpp"
#include "substrate/ofi/endpoint.hpp"
#include "substrate/put_counter.hpp"
#include "substrate/rank_list.hpp"

namespace boxcar::detail::ofi {

// Returns the word of a put of `bytes` bytes for the counter with number `number`.
[[nodiscard]] std::uint64_t word_of(std::uint64_t number, std::size_t bytes);

class counted_puts final : word_listener, answer_listener {
 public:
  // The maximum number of counted puts in flight from one PE to another.
  static constexpr std::uint32_t granted = 16;

  counted_puts(std::shared_ptr<endpoint> at, std::shared_ptr<answers> hears);
  counted_puts(const counted_puts&) = delete;
  counted_puts& operator=(const counted_puts&) = delete;
  ~counted_puts();

  // Implements a substrate's make_put_counter for a world; PE i of the world is PE members[i] of
  // the job. Returns nullptr if the provider's words are too short.
  static std::unique_ptr<put_counter> make_counter(const std::shared_ptr<counted_puts>& of,
                                                   const rank_list& members, bool of_bytes,
                                                   put_listener listener);

  // Precondition of the functions below: the caller holds the lock of the endpoint
  // (endpoint::acquire_lock). The rank in the job names a PE.
  //
  // `has_room` returns whether one more counted put to the PE `to` may begin now; `begun` records
  // the put.
  [[nodiscard]] bool has_room(int to);
  void begun(int to) { ++peers_[static_cast<std::uint32_t>(to)]; }
  // Records the failure of a counted put. Callers that wait, perhaps for an answer now lost, get
  // system_error.
  void fail(const std::string& problem) { problem_ = problem; }
  [[nodiscard]] bool has_failed() const { return !problem_.empty(); }
  void require_success() const;

 private:
  class counter_of_puts;
  struct grant {
    int to = 0;
    std::uint32_t heard = 0;  // puts since the last answer
  };

  std::uint32_t add(const put_listener& listener);
  void remove(std::uint32_t counter) { counters_.erase(counter); }
  [[nodiscard]] std::uint64_t number_for(int from, std::uint32_t counter);
  void heard(std::uint64_t word) override;
  void answered(int from) override;

  std::shared_ptr<endpoint> at_;
  std::shared_ptr<answers> hears_;
  // The existing counters of this PE.
  std::map<std::uint32_t, const put_listener*> counters_;
  std::map<std::uint64_t, grant> grants_;
  std::map<int, std::uint64_t> grant_of_;
  pe_table<std::uint32_t> peers_;  // counted puts without an answer so far, by target
  std::string problem_;
};

}  // namespace boxcar::detail::ofi

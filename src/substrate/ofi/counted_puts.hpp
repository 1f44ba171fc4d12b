// Puts that are counted where they go to: the word that libfabric delivers with a put
// (FI_REMOTE_CQ_DATA) says which counter of that PE it is for. One object per endpoint.
//
// Such a put takes a place in the completion queue of a PE that has not asked for it. So every PE
// keeps some places for others and grants a few to each that wants to count here, as long as there
// are any; for as long as it lives, as PEs that count do so often. A PE has no more of these puts
// on their way to another one than it was granted; the other one says when it has heard of some.
// Who is granted none does without, by requests.
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

// The word of a put of so many bytes for the counter of which this is the number.
[[nodiscard]] std::uint64_t word_of(std::uint64_t number, std::size_t bytes);

class counted_puts final : word_listener, answer_listener {
 public:
  // A PE has so many on their way to another one at most.
  static constexpr std::uint32_t granted = 16;

  counted_puts(std::shared_ptr<endpoint> at, std::shared_ptr<answers> hears);
  counted_puts(const counted_puts&) = delete;
  counted_puts& operator=(const counted_puts&) = delete;
  ~counted_puts();

  // As a substrate's make_put_counter, of a world whose PE i is PE members[i] of the job. nullptr
  // if the provider's words are too short.
  static std::unique_ptr<put_counter> make_counter(const std::shared_ptr<counted_puts>& of,
                                                   const rank_list& members, bool of_bytes,
                                                   put_listener listener);

  // What follows is called with others kept out (endpoint.hpp). PEs are named by their rank in the
  // job.
  //
  // One more put may be counted at this PE now; and it is on its way.
  [[nodiscard]] bool has_room(int to);
  void begun(int to) { ++peers_[static_cast<std::uint32_t>(to)]; }
  // A put that was to be counted has failed: whoever waits, for an answer perhaps that does not
  // come now, gets system_error.
  void fail(const std::string& problem) { problem_ = problem; }
  [[nodiscard]] bool has_failed() const { return !problem_.empty(); }
  void require_success() const;

 private:
  class counter_of_puts;
  struct grant {
    int to = 0;
    std::uint32_t heard = 0;  // since it was told so last
  };

  std::uint32_t add(const put_listener& listener);
  void remove(std::uint32_t counter) { counters_.erase(counter); }
  [[nodiscard]] std::uint64_t number_for(int from, std::uint32_t counter);
  void heard(std::uint64_t word) override;
  void answered(int from) override;

  std::shared_ptr<endpoint> at_;
  std::shared_ptr<answers> hears_;
  // Of this PE, those that the program has now.
  std::map<std::uint32_t, const put_listener*> counters_;
  std::map<std::uint64_t, grant> grants_;
  std::map<int, std::uint64_t> grant_of_;
  pe_table<std::uint32_t> peers_;  // puts to them of which they have not heard, as far as is known
  std::string problem_;
};

}  // namespace boxcar::detail::ofi

// The collectives that a PE has started by functions of its world. Those of one kind share a few
// channels, which take turns on all PEs alike and are kept for the next ones. To start one is
// local: what cannot begin at once (its channel has to be made, or another run is under way there)
// waits in a queue, of which a fiber beside the program takes one after the other, on all PEs in
// the order in which they were started.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <boxcar/collective_options.hpp>
#include <boxcar/collective_run.hpp>
#include <boxcar/world.hpp>

#include "collective/call_ledger.hpp"
#include "collective/collective_channel.hpp"
#include "collective/request.hpp"
#include "substrate/side_fiber.hpp"

namespace boxcar::detail {

// A kind: what all PEs must give alike, known to each.
struct collective_signature {
  collective_operation kind;
  int root;
  std::size_t bytes;  // of what a PE gives, or of a block
  std::uint64_t type;
  std::size_t element_bytes;
  bool is_of_numbers;
  combination_of_elements::built_in numbers;
  collective_options options;

  friend bool operator==(const collective_signature&, const collective_signature&) = default;
  [[nodiscard]] std::uint32_t hash() const;
};

class started_collectives {
 public:
  started_collectives() = default;
  started_collectives(const started_collectives&) = delete;
  started_collectives& operator=(const started_collectives&) = delete;
  // Waits until all that was started has begun, unless an exception is under way or the PE has
  // left.
  ~started_collectives();

  // As the functions of a world say.
  [[nodiscard]] collective_run start(const world& w, collective_start what,
                                     const collective_options& options);

 private:
  static constexpr std::size_t most_kinds = 64;
  static constexpr std::size_t most_at_once = 4;
  static constexpr std::size_t most_long_at_once = 2;
  static constexpr std::size_t long_bytes = 65'536;

  using channels = std::vector<std::shared_ptr<collective_channel>>;
  struct kind {
    collective_signature signature;
    std::uint32_t hash;
    std::shared_ptr<channels> its_channels;
    std::size_t next = 0;
  };

  // That this PE has started this; throws world_error if another has started something else.
  void note(const ledger_entry& mine);
  // nullptr: there is none yet.
  [[nodiscard]] kind* find(const collective_signature& what);
  kind& add(const collective_signature& what, collective_request call,
            const collective_start& start);
  // What is in the queue, by the fiber.
  void go_on_beside();
  void work_off_queue();

  std::optional<world> world_;           // which is another handle of it
  std::optional<call_ledger> ledger_;    // made with the first channels
  std::vector<ledger_entry> not_noted_;  // until then
  std::list<kind> kinds_;                // that of the last start first
  struct waiting_start {
    const char* name;
    std::shared_ptr<channels> of_its_kind;
    std::shared_ptr<collective_channel> its_channel;
  };
  std::deque<waiting_start> queue_;
  // The last kinds that went, some of whose runs may not have ended.
  std::deque<kind> parted_;
  std::unique_ptr<side_fiber> fiber_;  // as long as there is something in the queue
};

}  // namespace boxcar::detail

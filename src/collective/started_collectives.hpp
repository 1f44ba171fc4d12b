// Collectives started by functions of the world, for instance all_reduce_async. Collectives of one
// kind share a few channels, which are used in turn, in the same order on all PEs, and are kept for
// later starts. A start is local: a run that cannot begin at once, because the channel is not made
// yet or another run occupies the channel, waits in a queue. A background fiber processes the queue
// in the order of the starts, which is the same on all PEs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <boxcar/collective_options.hpp>
#include <boxcar/collective_run.hpp>
#include <boxcar/world.hpp>

#include "collective/call_ledger.hpp"
#include "collective/collective_channel.hpp"
#include "collective/request.hpp"
#include "substrate/background_fiber.hpp"

namespace boxcar::detail {

// The signature identifies a kind by the arguments that must be equal on all PEs.
struct collective_signature {
  collective_operation kind;
  int root;
  std::size_t bytes;  // of a PE's input, or of a block
  std::uint64_t type;
  std::size_t element_bytes;
  bool is_of_numbers;
  combination_of_elements::built_in numbers;
  collective_options options;

  friend bool operator==(const collective_signature&, const collective_signature&) = default;
  [[nodiscard]] std::uint32_t hash() const;
};

// Longer arrays go in pieces, so that the memory of a channel does not depend on the length.
struct piece_length {
  std::size_t bytes = std::size_t{8} << 20;
  std::size_t bytes_of_pe = 65'536;  // at least, times the number of PEs
};

class started_collectives {
 public:
  // Tests set shorter pieces, the same on all PEs.
  static inline piece_length longest_piece;

  started_collectives() = default;
  started_collectives(const started_collectives&) = delete;
  started_collectives& operator=(const started_collectives&) = delete;
  // Waits until all queued runs have begun, unless the stack is being unwound or the PE has left.
  ~started_collectives();

  // Implements the asynchronous functions of a world.
  [[nodiscard]] collective_run start(const world& w, collective_start what,
                                     const collective_options& options);

 private:
  static constexpr std::size_t max_kinds = 64;
  static constexpr std::size_t most_at_once = 4;
  static constexpr std::size_t max_long_at_once = 2;
  static constexpr std::size_t long_bytes = 65'536;

  using channels = std::vector<std::shared_ptr<collective_channel>>;
  struct kind {
    collective_signature signature;
    std::uint32_t hash;
    std::shared_ptr<channels> its_channels;
    std::size_t next = 0;
  };

  // Starts a run of the kind. `started` are the earlier pieces of the same call.
  [[nodiscard]] collective_run::piece start_piece(kind& k, collective_start what, bool is_in_place,
                                                  std::span<const collective_run::piece> started);
  // Returns the kind of the call, after adding it if there is none.
  [[nodiscard]] kind& kind_of(const collective_start& what, const collective_options& options);
  // Records a start; throws world_error if a PE of the node has started another collective.
  void note(const ledger_entry& mine);
  // Returns nullptr if no kind has the signature.
  [[nodiscard]] kind* find(const collective_signature& what);
  kind& add(const collective_signature& what, collective_request call,
            const collective_start& start);
  // Starts the background fiber for the queue.
  void start_fiber();
  void process_queue();

  std::optional<world> world_;            // a separate handle of the world
  std::optional<call_ledger> ledger_;     // made with the first channels
  std::vector<ledger_entry> unrecorded_;  // starts before the ledger exists
  std::list<kind> kinds_;                 // the most recently started kind first
  struct waiting_start {
    const char* name;
    std::shared_ptr<channels> of_its_kind;
    std::shared_ptr<collective_channel> its_channel;
  };
  std::deque<waiting_start> queue_;
  // Kinds beyond max_kinds, some of whose runs may not have ended.
  std::deque<kind> evicted_;
  std::unique_ptr<background_fiber> fiber_;  // exists while the queue is not empty
};

}  // namespace boxcar::detail

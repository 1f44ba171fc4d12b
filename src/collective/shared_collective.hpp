// A collective for little data in memory shared by all PEs. A PE that starts a run writes its data
// to the memory; each PE reads the needed data in `test` or `wait`. Hence a run needs no action of
// the other PEs after their starts.
//
// Synchronisation: a reader acquires `published` of the writer, who releases `published` after
// writing the data. A writer that reuses a slot acquires `taken` of the PEs that have read the
// slot; or, if all PEs read from all PEs, `published` of a later run, which the PEs began after
// reading. Both numbers only grow: a PE keeps the last loaded value, and loads again when the value
// is too small. Readers release `taken` once for several runs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <boxcar/world.hpp>

#include "collective/collective_state.hpp"
#include "collective/request.hpp"
#include "one_sided/rpc_engine.hpp"
#include "substrate/node_memory.hpp"

namespace boxcar::detail {

class shared_collective final : public collective_state {
 public:
  // Collective; all PEs are on one node. Throws system_error on all PEs if memory lacks.
  shared_collective(const world& w, collective_request call, collective_way way);

  void use(std::span<const std::byte> in, std::span<std::byte> out,
           std::span<const std::byte> first) override;
  void start() override;
  [[nodiscard]] bool test() override;
  void wait() override;

  [[nodiscard]] std::string explain() const override;
  [[nodiscard]] std::string text() const override { return explain() + "\n"; }
  [[nodiscard]] std::string graphviz() const override { return "digraph collective {\n}\n"; }

 private:
  struct alignas(64) line {
    std::byte bytes[64];
  };
  using run_number = std::uint64_t;
  // A PE with data for this PE, or a reader of the data of this PE. `known` is the last loaded
  // value of `published` or `taken`.
  struct peer {
    int pe;
    run_number known = 0;
  };

  [[nodiscard]] std::atomic_ref<run_number> published(int pe) const { return number(pe, 0); }
  [[nodiscard]] std::atomic_ref<run_number> taken(int pe) const { return number(pe, 1); }
  // `claimed` is the number of shares that PEs have begun to combine, and `combined` the number of
  // combined shares, both over all runs.
  [[nodiscard]] std::atomic_ref<run_number> claimed() const { return number(0, 1); }
  [[nodiscard]] std::atomic_ref<run_number> combined() const { return number(0, 2); }
  [[nodiscard]] std::atomic_ref<run_number> number(int pe, std::size_t which) const;
  // The number of lines of a slot of a PE, stored beside `published`; written once, before the
  // first run.
  [[nodiscard]] std::uint64_t& slot_lines_of(int pe) const;
  // Wakes waiting peers.
  void wake(const std::vector<peer>& peers);
  // Collective.
  void share_lines(std::size_t lines_of_a_slot);
  // Returns the data of a PE in this run.
  [[nodiscard]] std::byte* given_by(int pe) const;

  // `is_here` returns whether all needed data have arrived and there is room for the next run;
  // `has_room` checks the room.
  [[nodiscard]] bool is_here();
  [[nodiscard]] bool has_room();
  // Combines shares that no PE has claimed: a waiting PE does the work of a computing PE. Returns
  // true if all shares have been combined.
  [[nodiscard]] bool has_shares();
  void combine_share(int which);
  // Ends the run.
  void finish();
  void take();
  // Combines the data of the PEs before `last`, from byte `at` on, into `into`. The former content
  // of `into` is the first operand if `with_into`, and is overwritten otherwise.
  void combine_into(std::span<std::byte> into, int last, std::size_t at, bool with_into) const;
  // Returns the part of the result stored with a PE.
  [[nodiscard]] std::span<std::byte> share_of(int pe) const;

  collective_request call_;
  const collective_way way_;
  const int pe_;
  const run_number slots_;          // number of runs for which the data of a PE stay
  const run_number taken_at_once_;  // number of runs after which a reader releases `taken`
  substrate& world_;
  rpc_engine& rpc_;
  // The sizes of the shares of a reduction. A PE combines a share, and all PEs read all shares.
  // Empty: each PE combines the whole result for itself.
  const std::vector<std::size_t> shares_;
  std::unique_ptr<node_memory> memory_;
  std::vector<line*> parts_;             // of all PEs
  std::vector<std::size_t> slot_lines_;  // of each
  std::vector<peer> sources_;
  std::vector<peer> readers_;
  std::size_t my_block_ = 0;  // offset of this PE's block in the data of a PE
  bool all_take_from_all_ = false;
  std::vector<std::size_t> share_starts_;  // in the result
  std::size_t seen_ = 0;                   // sources whose data have arrived
  std::size_t freed_ = 0;                  // readers that have left room
  run_number run_ = 0;
  bool is_over_ = true;
};

}  // namespace boxcar::detail

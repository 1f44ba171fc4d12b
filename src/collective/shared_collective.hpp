// A collective of little data in memory shared by all PEs. A PE that starts a run writes its
// contribution to the memory; a PE that tests or waits for the run reads the contributions of the
// other PEs. So a run needs no action of a PE besides the start.
//
// Pairs that synchronise: whoever takes acquires `published` of whoever gives, who has released it
// when the data were there; whoever gives again into the same slot acquires `taken` of those who
// have read it before, or, where all take from all, `published` of a later run, which they have
// begun behind that.
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
#include "one_sided/request_desk.hpp"
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

  [[nodiscard]] std::atomic_ref<run_number> published(int pe) const { return number(pe, 0); }
  [[nodiscard]] std::atomic_ref<run_number> taken(int pe) const { return number(pe, 1); }
  // Of all runs: shares that PEs have begun to combine, and those that they have combined.
  [[nodiscard]] std::atomic_ref<run_number> claimed() const { return number(0, 1); }
  [[nodiscard]] std::atomic_ref<run_number> combined() const { return number(0, 2); }
  [[nodiscard]] std::atomic_ref<run_number> number(int pe, std::size_t which) const;
  // The lines of a slot of a PE, beside `published`; written once, before the first run.
  [[nodiscard]] std::uint64_t& slot_lines_of(int pe) const;
  // Collective.
  void share_lines(std::size_t lines_of_a_slot);
  // What a PE gives in this run.
  [[nodiscard]] std::byte* given_by(int pe) const;

  // Whether all is here that is needed, and there is room for the next run.
  [[nodiscard]] bool is_here();
  [[nodiscard]] bool has_room();
  // Combines shares that nobody has begun with: whoever waits does what one that computes does not.
  // True if all have been combined.
  [[nodiscard]] bool has_shares();
  void combine_share(int which);
  // The run ends.
  void finish();
  void take();
  // What the PEs before `last` give, from `at` on, with `into`, or in the place of what is there.
  void combine_into(std::span<std::byte> into, int last, std::size_t at, bool with_into) const;
  // A part of the result, which lies with a PE.
  [[nodiscard]] std::span<std::byte> share_of(int pe) const;

  collective_request call_;
  const collective_way way_;
  const int pe_;
  const run_number slots_;  // what a PE gives in so many runs stays there
  substrate& world_;
  request_desk& desk_;
  // What is reduced is combined in shares, one for each PE, which all take then; empty: each PE
  // combines all by itself.
  const std::vector<std::size_t> shares_;
  std::unique_ptr<node_memory> memory_;
  std::vector<line*> parts_;             // of all PEs
  std::vector<std::size_t> slot_lines_;  // of each
  std::vector<int> sources_;             // from which this PE takes
  std::vector<int> readers_;             // which take from it
  std::size_t my_block_ = 0;             // where it begins in what others give
  bool all_take_from_all_ = false;
  std::vector<std::size_t> share_starts_;  // in the result
  std::size_t seen_ = 0;                   // sources of which it is here
  std::size_t freed_ = 0;                  // readers that have left room
  run_number run_ = 0;
  bool is_over_ = true;
};

}  // namespace boxcar::detail

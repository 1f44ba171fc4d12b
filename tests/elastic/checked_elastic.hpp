// An elastic conveyor with checks at every operation: states, return values, and items. Items
// arrive exactly once, in order, of the right size and with the right content, and a pulled item
// stays in place until the next pull. Throws broken_contract at a violation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <boxcar/elastic_conveyor.hpp>

#include "elastic/elastic_setup.hpp"
#include "support/item_content.hpp"
#include "support/ledger.hpp"
#include "support/session_witness.hpp"

namespace boxcar::test {

class checked_elastic {
 public:
  // Collective. The size of each item is one of `sizes`, by its number, so that its receiver knows
  // the size; default: see `everyday_sizes`.
  checked_elastic(world& w, std::size_t largest_item, const conveyor_options& options, ledger& book,
                  std::vector<std::size_t> sizes = {});

  // Sizes around all limits that matter, mostly small.
  [[nodiscard]] std::vector<std::size_t> everyday_sizes() const;

  // The operations. Each must be legal.
  void in_session(const std::function<void()>& body);
  bool push(int pe);
  bool pull(std::size_t alignment = 1);
  bool unpull();
  advance_result advance(bool done);
  void reset();

  // Loops for many tests.
  void push_surely(int pe);
  void pull_all();
  void finish();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return static_cast<int>(pushed_to_.size()); }
  [[nodiscard]] conveyor_state state() const { return witness_.state(); }
  // The size of the item that the next push to a PE sends.
  [[nodiscard]] std::size_t next_size(int pe) const;
  // The source and the size of the item that was pulled last.
  [[nodiscard]] int last_source() const { return held_identity_.source; }
  [[nodiscard]] std::size_t last_size() const { return held_ ? held_->size() : 0; }
  // The number of items pulled in the session, and not put back.
  [[nodiscard]] std::uint64_t pulled() const;
  // The bytes of the packets of all pushes of the session, on a hop that all packets take.
  [[nodiscard]] std::uint64_t packet_bytes_pushed() const { return packet_bytes_pushed_; }
  [[nodiscard]] const packet_sizes& packets() const { return packets_; }
  [[nodiscard]] elastic_conveyor& unchecked() { return conveyor_; }

 private:
  // The expected statistics.
  struct counts {
    std::uint64_t pushes = 0;
    std::uint64_t blocked = 0;
    std::uint64_t pulls = 0;
    std::uint64_t unpulls = 0;
    std::uint64_t advances = 0;
  };

  static std::size_t index(int pe) { return static_cast<std::size_t>(pe); }
  [[nodiscard]] std::uint64_t stream() const { return scramble_all({book_.stream(), sessions_}); }
  [[nodiscard]] item_identity next_to(int pe) const;
  [[nodiscard]] item_identity next_from(int pe) const;
  [[nodiscard]] std::size_t size_of(const item_identity& id) const;
  void check_held_item() const;
  void check_arrival(const elastic_item& item);
  void check_everything_arrived() const;
  void check_statistics() const;

  elastic_conveyor conveyor_;
  packet_sizes packets_;
  ledger& book_;
  session_witness witness_;
  int rank_;
  std::size_t largest_item_;
  std::vector<std::size_t> sizes_;

  std::uint64_t sessions_ = 0;
  std::vector<std::uint64_t> pushed_to_;
  std::vector<std::uint64_t> pulled_from_;
  std::uint64_t packet_bytes_pushed_ = 0;
  counts counts_;

  // The item that was pulled last and must stay in place.
  std::optional<std::span<const std::byte>> held_;
  item_identity held_identity_;
  bool can_unpull_ = false;
  bool put_back_ = false;  // the next pull must bring the same item again
  std::vector<std::byte> item_;
};

}  // namespace boxcar::test

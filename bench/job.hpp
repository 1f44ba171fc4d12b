// What there is to do in a benchmark, apart from how: the items of each PE, what becomes of them
// where they arrive, and whether the result is right. Boxcar and the baselines do the same jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

#include <boxcar/world.hpp>

namespace boxcar::bench {

// The result of a job is not what it must be.
class wrong_result : public std::runtime_error {
 public:
  explicit wrong_result(const std::string& what)
      : std::runtime_error("the result is wrong: " + what) {}
};

inline void require(bool right, const char* what_is_wrong) {
  if (!right) throw wrong_result(what_is_wrong);
}

class one_way_job;

// One PE's part of a job. Functions are local unless said otherwise.
class job {
 public:
  virtual ~job() = default;

  // How many items this PE sends, or queries it makes, in one session, and their size.
  [[nodiscard]] virtual std::uint64_t items() const = 0;
  [[nodiscard]] virtual std::size_t item_bytes() const = 0;

  // Forgets what has arrived.
  virtual void clear() = 0;
  // Collective. Since `clear`, so many sessions were done. Throws wrong_result on some PE unless
  // every item has arrived as often, and nothing else.
  virtual void check(world& w, std::uint64_t sessions) const = 0;
  // The same if this PE has dealt with its own items itself, wherever they should have gone.
  virtual void check_alone(std::uint64_t sessions) const = 0;

  // What baselines see, who do not know the type; nullptr if the job is not of this form.
  virtual one_way_job* as_one_way() { return nullptr; }
};

// A job of items that are sent and dealt with where they arrive, seen in blocks: what happens to
// each item is inlined within the block, so that a baseline loses nothing by not knowing the type.
class one_way_job : public job {
 public:
  one_way_job* as_one_way() final { return this; }

  // Adds to per_pe[p] how many of the items from `first` to before `last` go to PE p.
  virtual void count(std::uint64_t first, std::uint64_t last,
                     std::span<std::size_t> per_pe) const = 0;
  // Writes each of these items where the cursor of its PE points, and moves the cursor on.
  virtual void scatter(std::uint64_t first, std::uint64_t last,
                       std::span<std::byte*> cursors) const = 0;
  // Deals with `n` items that have arrived.
  virtual void apply_all(const std::byte* items, std::size_t n) = 0;
};

// The same for the derived class Job, which has
//   Item at(i), int destination(i)   the item number i of this PE, and where it goes
//   void apply(item)                 deals with one that has arrived
template <typename Job, typename Item>
class one_way : public one_way_job {
 public:
  using item_type = Item;

  [[nodiscard]] std::size_t item_bytes() const final { return sizeof(Item); }

  void count(std::uint64_t first, std::uint64_t last, std::span<std::size_t> per_pe) const final {
    for (std::uint64_t i = first; i < last; ++i) {
      ++per_pe[static_cast<std::size_t>(self().destination(i))];
    }
  }

  void scatter(std::uint64_t first, std::uint64_t last, std::span<std::byte*> cursors) const final {
    for (std::uint64_t i = first; i < last; ++i) {
      const Item item = self().at(i);
      std::byte*& cursor = cursors[static_cast<std::size_t>(self().destination(i))];
      std::memcpy(cursor, &item, sizeof item);
      cursor += sizeof item;
    }
  }

  void apply_all(const std::byte* items, std::size_t n) final {
    for (std::size_t i = 0; i < n; ++i) {
      Item item;
      std::memcpy(&item, items + i * sizeof item, sizeof item);
      self().apply(item);
    }
  }

 private:
  Job& self() { return static_cast<Job&>(*this); }
  const Job& self() const { return static_cast<const Job&>(*this); }
};

}  // namespace boxcar::bench

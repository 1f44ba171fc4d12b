// What there is to do in a benchmark, apart from how: the items of each PE, what becomes of them
// where they arrive, and whether the result is right. Boxcar and the baselines do the same jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

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
class two_way_job;
class table_job;
class ping_pong_job;
class pipeline_job;
class all_to_all_job;
class collective_job;
class overlap_job;

// One PE's part of a job. Functions are local unless said otherwise.
class job {
 public:
  virtual ~job() = default;

  // How many items this PE sends, or queries it makes, in one session, and their size.
  [[nodiscard]] virtual std::uint64_t items() const = 0;
  [[nodiscard]] virtual std::size_t item_bytes() const = 0;

  // Forgets what has arrived.
  virtual void clear() = 0;
  // One session after another may be done without `clear` in between: what they leave behind tells
  // how many there were, and each is as much work as the first.
  [[nodiscard]] virtual bool can_repeat() const { return true; }
  // So many sessions, one after another, are different: measurements are of no fewer.
  [[nodiscard]] virtual std::uint64_t least_sessions() const { return 1; }
  // Collective. Since `clear`, so many sessions were done. Throws wrong_result on some PE unless
  // every item has arrived as often, and nothing else.
  virtual void check(world& w, std::uint64_t sessions) const = 0;
  // The same if this PE has dealt with its own items itself, wherever they should have gone.
  virtual void check_alone(std::uint64_t sessions) const = 0;

  // What baselines see, who do not know the type; nullptr if the job is not of this form.
  virtual one_way_job* as_one_way() { return nullptr; }
  virtual two_way_job* as_two_way() { return nullptr; }
  virtual table_job* as_table() { return nullptr; }
  virtual ping_pong_job* as_ping_pong() { return nullptr; }
  virtual pipeline_job* as_pipeline() { return nullptr; }
  virtual all_to_all_job* as_all_to_all() { return nullptr; }
  virtual collective_job* as_collective() { return nullptr; }
  virtual overlap_job* as_overlap() { return nullptr; }
};

// A job seen in blocks of items: what happens to each item is inlined within the block, so that a
// baseline loses nothing by not knowing its type.
class partitioned_job : public job {
 public:
  // Adds to per_pe[p] how many of the items from `first` to before `last` go to PE p.
  virtual void count(std::uint64_t first, std::uint64_t last,
                     std::span<std::size_t> per_pe) const = 0;
  // Writes each of these items, or queries, at places[p] for its PE p, and moves that place on:
  // places are counted in items from `begin`. The place of item i is kept in kept[i - first],
  // unless that is empty.
  virtual void scatter(std::uint64_t first, std::uint64_t last, std::byte* begin,
                       std::span<std::size_t> places, std::span<std::uint32_t> kept) const = 0;
  // One by one: where item i goes, and a copy of it.
  [[nodiscard]] virtual int pe_of(std::uint64_t i) const = 0;
  virtual void copy(std::uint64_t i, std::byte* to) const = 0;
};

// A job of items that are sent and dealt with where they arrive.
class one_way_job : public partitioned_job {
 public:
  one_way_job* as_one_way() final { return this; }
  // Deals with `n` items that have arrived.
  virtual void apply_all(const std::byte* items, std::size_t n) = 0;
};

// A job of queries, each of which gets one reply.
class two_way_job : public partitioned_job {
 public:
  two_way_job* as_two_way() final { return this; }
  [[nodiscard]] virtual std::size_t reply_bytes() const = 0;
  // Answers `n` queries that have arrived.
  virtual void answer_all(const std::byte* queries, std::size_t n, std::byte* replies) const = 0;
  // Takes the replies to the queries from `first` to before `last`; that to query i is number
  // kept[i - first] of `replies`.
  virtual void receive_all(std::uint64_t first, std::uint64_t last, const std::byte* replies,
                           std::span<const std::uint32_t> kept) = 0;
};

// A job that can be seen as one access per item to a table of numbers that is spread over all PEs,
// for baselines that use one-sided communication: no code of the job runs where the table is.
class table_job {
 public:
  enum class access { add_one, combine_xor, fetch, store };
  struct target {
    int pe;
    std::uint64_t slot;
  };

  [[nodiscard]] virtual access kind() const = 0;
  // This PE's part of the table.
  [[nodiscard]] virtual std::span<std::uint64_t> table() = 0;
  [[nodiscard]] virtual target target_of(std::uint64_t i) const = 0;
  // What item i stores, or combines with what is there.
  [[nodiscard]] virtual std::uint64_t value_of(std::uint64_t) const { return 1; }
  // Takes what item i has fetched.
  virtual void fetched(std::uint64_t, std::uint64_t) {}

 protected:
  ~table_job() = default;
};

// A job of messages that two PEs send each other in turns: an item is a message.
class ping_pong_job {
 public:
  [[nodiscard]] virtual bool plays() const = 0;  // this PE is one of the two
  [[nodiscard]] virtual bool begins() const = 0;
  [[nodiscard]] virtual int partner() const = 0;
  // What is to be sent next; it stays until the next call.
  [[nodiscard]] virtual std::span<const std::uint64_t> next() = 0;
  // What has arrived.
  virtual void take(const std::uint64_t* message) = 0;

 protected:
  ~ping_pong_job() = default;
};

// A job of PEs in a row that compute the rows of a grid: each its part of a row, for which it needs
// the last value of the part to its left. At last PE 0 gets the last value of all. An item is a
// row.
class pipeline_job {
 public:
  [[nodiscard]] virtual bool is_first() const = 0;  // of the PEs
  [[nodiscard]] virtual bool is_last() const = 0;
  // The next PE; PE 0 behind the last.
  [[nodiscard]] virtual int next_pe() const = 0;
  [[nodiscard]] virtual int pe_before() const = 0;
  [[nodiscard]] virtual std::uint64_t rows() const = 0;  // with row 0, which is given
  // This PE's part of a row, whose last value is returned; `left` is the last of the part to its
  // left, and nothing to PE 0. In the order of the rows.
  virtual double compute(std::uint64_t row, double left) = 0;
  // PE 0 takes the last value of the last row, with which it begins the next time.
  virtual void feed_back(double corner) = 0;

 protected:
  ~pipeline_job() = default;
};

// A job of exchanges, one after another, in each of which every PE puts a block into the memory of
// every other, and takes what the others have put when all of that is there. An item is a block.
class all_to_all_job {
 public:
  // In a session.
  [[nodiscard]] virtual std::uint64_t exchanges() const = 0;
  // The block of the next exchange; it stays until the call after the next.
  [[nodiscard]] virtual std::span<const std::uint64_t> next() = 0;
  // What PE `from` has put, which stays until the exchange after the next.
  virtual void take(int from, const std::uint64_t* block) = 0;

 protected:
  ~all_to_all_job() = default;
};

// A job of runs of one collective, of unsigned sums where it combines. An item is a run.
class collective_job {
 public:
  using word = std::uint64_t;

  [[nodiscard]] virtual std::string_view which() const = 0;
  // In a session.
  [[nodiscard]] virtual std::uint64_t runs() const = 0;
  // Of a block, and of all that this PE gives and gets.
  [[nodiscard]] virtual std::size_t words() const = 0;
  [[nodiscard]] virtual std::size_t given() const = 0;
  [[nodiscard]] virtual std::size_t got() const = 0;
  // Writes down what is given in the next run.
  virtual void next(std::span<word> given) = 0;
  // What the PE does while the run goes on, between its start and the wait for its end.
  virtual void compute() {}
  // What the PE has got in it.
  virtual void take(std::span<const word> got) = 0;

 protected:
  ~collective_job() = default;
};

// A job of runs during which the PE computes as much as it is told to, and which takes the time of
// each run itself, so that a session may be short.
class overlap_job {
 public:
  // Runs of a session.
  [[nodiscard]] virtual std::uint64_t runs() const = 0;
  // The length of the computation from now on; 0, as at first: there is none.
  virtual void set_steps(std::uint64_t steps) = 0;
  // Collective. All computations of a session, and nothing else.
  virtual void compute_alone() = 0;
  // What the runs of a session, or computations alone, have taken on this PE since `clear`: the
  // median times their number, for one that the system interrupts may take as long as all others.
  [[nodiscard]] virtual double seconds() const = 0;

 protected:
  ~overlap_job() = default;
};

// --- The same for a derived class that knows its types -------------------------------------------

template <typename Item>
Item load(const std::byte* items, std::size_t i) {
  Item item;
  std::memcpy(&item, items + i * sizeof item, sizeof item);
  return item;
}

template <typename Item>
void store(std::byte* items, std::size_t i, const Item& item) {
  std::memcpy(items + i * sizeof item, &item, sizeof item);
}

template <typename Job>
void count_items(const Job& job, std::uint64_t first, std::uint64_t last,
                 std::span<std::size_t> per_pe) {
  for (std::uint64_t i = first; i < last; ++i) {
    ++per_pe[static_cast<std::size_t>(job.destination(i))];
  }
}

// `item_at(i)` is the item number i.
template <typename Job, typename ItemAt>
void scatter_items(const Job& job, const ItemAt& item_at, std::uint64_t first, std::uint64_t last,
                   std::byte* begin, std::span<std::size_t> places, std::span<std::uint32_t> kept) {
  for (std::uint64_t i = first; i < last; ++i) {
    const std::size_t place = places[static_cast<std::size_t>(job.destination(i))]++;
    store(begin, place, item_at(i));
    if (!kept.empty()) kept[i - first] = static_cast<std::uint32_t>(place);
  }
}

// Job has
//   Item at(i), int destination(i)   the item number i of this PE, and where it goes
//   void apply(item)                 deals with one that has arrived
template <typename Job, typename Item>
class one_way : public one_way_job {
 public:
  using item_type = Item;

  [[nodiscard]] std::size_t item_bytes() const final { return sizeof(Item); }
  void count(std::uint64_t first, std::uint64_t last, std::span<std::size_t> per_pe) const final {
    count_items(self(), first, last, per_pe);
  }
  void scatter(std::uint64_t first, std::uint64_t last, std::byte* begin,
               std::span<std::size_t> places, std::span<std::uint32_t> kept) const final {
    const auto item_at = [this](std::uint64_t i) { return self().at(i); };
    scatter_items(self(), item_at, first, last, begin, places, kept);
  }
  [[nodiscard]] int pe_of(std::uint64_t i) const final { return self().destination(i); }
  void copy(std::uint64_t i, std::byte* to) const final { store(to, 0, self().at(i)); }
  void apply_all(const std::byte* items, std::size_t n) final {
    for (std::size_t i = 0; i < n; ++i) static_cast<Job&>(*this).apply(load<Item>(items, i));
  }

 private:
  [[nodiscard]] const Job& self() const { return static_cast<const Job&>(*this); }
};

// Job has
//   Query query(i), int destination(i)   the query number i of this PE, and whom it asks
//   Reply answer(query)                  to one that has arrived
//   void receive(i, reply)               takes the reply to query i
template <typename Job, typename Query, typename Reply>
class two_way : public two_way_job {
 public:
  using query_type = Query;
  using reply_type = Reply;

  [[nodiscard]] std::size_t item_bytes() const final { return sizeof(Query); }
  [[nodiscard]] std::size_t reply_bytes() const final { return sizeof(Reply); }
  void count(std::uint64_t first, std::uint64_t last, std::span<std::size_t> per_pe) const final {
    count_items(self(), first, last, per_pe);
  }
  void scatter(std::uint64_t first, std::uint64_t last, std::byte* begin,
               std::span<std::size_t> places, std::span<std::uint32_t> kept) const final {
    const auto query_at = [this](std::uint64_t i) { return self().query(i); };
    scatter_items(self(), query_at, first, last, begin, places, kept);
  }
  [[nodiscard]] int pe_of(std::uint64_t i) const final { return self().destination(i); }
  void copy(std::uint64_t i, std::byte* to) const final { store(to, 0, self().query(i)); }
  void answer_all(const std::byte* queries, std::size_t n, std::byte* replies) const final {
    for (std::size_t i = 0; i < n; ++i) store(replies, i, self().answer(load<Query>(queries, i)));
  }
  void receive_all(std::uint64_t first, std::uint64_t last, const std::byte* replies,
                   std::span<const std::uint32_t> kept) final {
    for (std::uint64_t i = first; i < last; ++i) {
      static_cast<Job&>(*this).receive(i, load<Reply>(replies, kept[i - first]));
    }
  }

 private:
  [[nodiscard]] const Job& self() const { return static_cast<const Job&>(*this); }
};

}  // namespace boxcar::bench

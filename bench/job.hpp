// A job is the work of a benchmark without the means of communication: the items of each PE, the
// effect of an item on arrival, and the check of the result. Boxcar and the baselines do the same
// jobs.
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

// Thrown when the result of a job is not the expected result.
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

// One PE's share of a job. Functions are local unless said otherwise.
class job {
 public:
  virtual ~job() = default;

  // The number of the PE's items, or queries, in one session, and the size of an item.
  [[nodiscard]] virtual std::uint64_t items() const = 0;
  [[nodiscard]] virtual std::size_t item_bytes() const = 0;

  // Resets the effects of arrived items.
  virtual void clear() = 0;
  // Returns whether several sessions may follow one another without `clear` in between: the effects
  // of the sessions show their number, and each session is as much work as the first.
  [[nodiscard]] virtual bool can_repeat() const { return true; }
  // The least number of sessions in a measurement: a job may do a different session each time, up
  // to `min_sessions` in a row.
  [[nodiscard]] virtual std::uint64_t min_sessions() const { return 1; }
  // Collective. `sessions` is the number of sessions since `clear`. Throws wrong_result on some PE
  // unless every item has arrived `sessions` times, and nothing else.
  virtual void check(world& w, std::uint64_t sessions) const = 0;
  // Checks as `check` does, for a PE that has processed its own items itself, whatever their
  // destinations.
  virtual void check_alone(std::uint64_t sessions) const = 0;

  // The views for baselines, as baselines do not know the type of the job; nullptr for jobs of
  // another form.
  virtual one_way_job* as_one_way() { return nullptr; }
  virtual two_way_job* as_two_way() { return nullptr; }
  virtual table_job* as_table() { return nullptr; }
  virtual ping_pong_job* as_ping_pong() { return nullptr; }
  virtual pipeline_job* as_pipeline() { return nullptr; }
  virtual all_to_all_job* as_all_to_all() { return nullptr; }
  virtual collective_job* as_collective() { return nullptr; }
  virtual overlap_job* as_overlap() { return nullptr; }
};

// A job that is accessed in blocks of items: the work for each item is inlined within the block, so
// that a baseline loses nothing by not knowing the job's type.
class partitioned_job : public job {
 public:
  // Adds to per_pe[p] how many of the items from `first` to before `last` go to PE p.
  virtual void count(std::uint64_t first, std::uint64_t last,
                     std::span<std::size_t> per_pe) const = 0;
  // Writes the items, or queries, from `first` to before `last`: each at places[p] for its PE p,
  // and advances places[p]. Places are counted in items from `begin`. The place of item i is kept
  // in kept[i - first], unless `kept` is empty.
  virtual void scatter(std::uint64_t first, std::uint64_t last, std::byte* begin,
                       std::span<std::size_t> places, std::span<std::uint32_t> kept) const = 0;
  // Access to single items: the destination of item i, and a copy of item i.
  [[nodiscard]] virtual int pe_of(std::uint64_t i) const = 0;
  virtual void copy(std::uint64_t i, std::byte* to) const = 0;
};

// A job of items that are sent and processed on arrival.
class one_way_job : public partitioned_job {
 public:
  one_way_job* as_one_way() final { return this; }
  // Processes `n` arrived items.
  virtual void apply_all(const std::byte* items, std::size_t n) = 0;
};

// A job of queries with exactly one reply each.
class two_way_job : public partitioned_job {
 public:
  two_way_job* as_two_way() final { return this; }
  [[nodiscard]] virtual std::size_t reply_bytes() const = 0;
  // Writes the replies to `n` arrived queries.
  virtual void answer_all(const std::byte* queries, std::size_t n, std::byte* replies) const = 0;
  // Takes the replies to the queries from `first` to before `last`; the reply to query i is number
  // kept[i - first] of `replies`.
  virtual void receive_all(std::uint64_t first, std::uint64_t last, const std::byte* replies,
                           std::span<const std::uint32_t> kept) = 0;
};

// A job with one access per item to a table of numbers distributed over all PEs, for baselines with
// one-sided communication (RMA): no code of the job runs at the target.
class table_job {
 public:
  enum class access { add_one, combine_xor, fetch, store };
  struct target {
    int pe;
    std::uint64_t slot;
  };

  [[nodiscard]] virtual access kind() const = 0;
  // The PE's segment of the table.
  [[nodiscard]] virtual std::span<std::uint64_t> table() = 0;
  [[nodiscard]] virtual target target_of(std::uint64_t i) const = 0;
  // The operand of item i: the value to store, or to combine with the element of the table.
  [[nodiscard]] virtual std::uint64_t value_of(std::uint64_t) const { return 1; }
  // Takes the value that item i has fetched.
  virtual void fetched(std::uint64_t, std::uint64_t) {}

 protected:
  ~table_job() = default;
};

// A job of messages that two PEs send each other in turns: an item is a message.
class ping_pong_job {
 public:
  [[nodiscard]] virtual bool plays() const = 0;  // the PE is one of the two
  [[nodiscard]] virtual bool begins() const = 0;
  [[nodiscard]] virtual int partner() const = 0;
  // The next message to send; valid until the next call.
  [[nodiscard]] virtual std::span<const std::uint64_t> next() = 0;
  // Takes an arrived message.
  virtual void take(const std::uint64_t* message) = 0;

 protected:
  ~ping_pong_job() = default;
};

// A job of PEs in a row that compute the rows of a grid. Each PE computes its segment of a row,
// from the last value of the segment to the left. In the end PE 0 gets the last value of the last
// row. An item is a row.
class pipeline_job {
 public:
  [[nodiscard]] virtual bool is_first() const = 0;  // the first of the PEs
  [[nodiscard]] virtual bool is_last() const = 0;
  // The next PE; PE 0 behind the last.
  [[nodiscard]] virtual int next_pe() const = 0;
  [[nodiscard]] virtual int pe_before() const = 0;
  [[nodiscard]] virtual std::uint64_t rows() const = 0;  // including row 0, which is given
  // Computes the PE's segment of a row and returns the last value of the segment. `left` is the
  // last value of the segment to the left; PE 0 ignores `left`. Called in the order of the rows.
  virtual double compute(std::uint64_t row, double left) = 0;
  // PE 0 takes the last value of the last row, with which the next session begins.
  virtual void feed_back(double corner) = 0;

 protected:
  ~pipeline_job() = default;
};

// A job of successive all-to-all exchanges. In each exchange every PE puts a block into the memory
// of every other PE, and takes the blocks of all PEs when all blocks are complete. An item is a
// block.
class all_to_all_job {
 public:
  // The number of exchanges in a session.
  [[nodiscard]] virtual std::uint64_t exchanges() const = 0;
  // The block of the next exchange; valid until the call after the next.
  [[nodiscard]] virtual std::span<const std::uint64_t> next() = 0;
  // Takes the block that PE `from` has put; the block is valid until the exchange after the next.
  virtual void take(int from, const std::uint64_t* block) = 0;

 protected:
  ~all_to_all_job() = default;
};

// A job of runs of one collective, with unsigned sums where the collective combines. An item is a
// run.
class collective_job {
 public:
  using word = std::uint64_t;

  [[nodiscard]] virtual std::string_view which() const = 0;
  // The number of runs in a session.
  [[nodiscard]] virtual std::uint64_t runs() const = 0;
  // The number of words of a block, of all input of the PE, and of all output of the PE.
  [[nodiscard]] virtual std::size_t words() const = 0;
  [[nodiscard]] virtual std::size_t given() const = 0;
  [[nodiscard]] virtual std::size_t got() const = 0;
  // Writes the input of the next run.
  virtual void next(std::span<word> given) = 0;
  // The computation of the PE between the start of the run and the wait for its end.
  virtual void compute() {}
  // Takes the output of the run.
  virtual void take(std::span<const word> got) = 0;

 protected:
  ~collective_job() = default;
};

// A job of runs with overlapped computation of a given length. The job measures the time of each
// run itself, so that a session may be short.
class overlap_job {
 public:
  // Runs of a session.
  [[nodiscard]] virtual std::uint64_t runs() const = 0;
  // The length of the computation from now on; 0, as at first: there is none.
  virtual void set_steps(std::uint64_t steps) = 0;
  // Collective. All computations of a session, and nothing else.
  virtual void compute_alone() = 0;
  // The time that the runs of a session, or computations alone, have taken on the PE since `clear`:
  // the median times the number of runs, as a single run that the system interrupts may take as
  // long as all other runs.
  [[nodiscard]] virtual double seconds() const = 0;

 protected:
  ~overlap_job() = default;
};

// --- Implementations for derived classes that know the types of their items ----------------------

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
//   Item at(i), int destination(i)   item number i of the PE, and its destination
//   void apply(item)                 processes an arrived item
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
//   Query query(i), int destination(i)   query number i of the PE, and its destination
//   Reply answer(query)                  the reply to an arrived query
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

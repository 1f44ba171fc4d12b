#include "table_gather.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include <boxcar/item.hpp>

#include "row_exchange.hpp"
#include "row_size.hpp"

namespace boxcar::python {
namespace {

constexpr const char* call = "gather";

// The data of questions in flight stays in a core's cache: the limits are a number of questions at
// a time, and a number of bytes.
constexpr std::size_t most_questions = std::size_t(1) << 18;
constexpr std::size_t most_bytes = std::size_t(1) << 26;

// A gather has three steps: first the number of questions to each PE, so that everything is written
// to its final place; then the questions, which are slots of the asked PE; then the rows, which
// come back in the order of the questions from each PE. So neither a question nor its answer
// carries an identification.
template <typename Slot>
class gathering {
 public:
  gathering(world& w, const table_part& mine)
      : world_(w), mine_(mine), positions_(most_at_once(mine.row_bytes)) {}

  static std::size_t most_at_once(std::size_t row_bytes) {
    return std::clamp<std::size_t>(most_bytes / row_bytes, 1, most_questions);
  }

  void run(located_indices& indices, std::byte* result) {
    count(indices);
    ask(indices);
    answer(result);
  }

 private:
  void count(located_indices& indices) {
    asked_.assign(static_cast<std::size_t>(world_.size()), 0);
    indices.for_each_batch([&](std::size_t, std::span<const std::int32_t> pes, auto) {
      for (const std::int32_t pe : pes) ++asked_[static_cast<std::size_t>(pe)];
    });
    arriving_ = exchange_counts(world_, asked_);
    const auto all = std::accumulate(arriving_.begin(), arriving_.end(), std::size_t(0));
    if (questions_.size() < all) questions_.resize(all);
  }

  void ask(located_indices& indices) {
    std::vector<std::uint64_t> next_question = first_of_each(arriving_);
    const take_rows take =
        put_in_order(next_question, sizeof(Slot), reinterpret_cast<std::byte*>(questions_.data()));
    std::vector<std::uint64_t> next_position = first_of_each(asked_);
    row_session s(world_, sizeof(Slot), call, take);
    std::vector<Slot> narrow;
    indices.for_each_batch([&](std::size_t first, std::span<const std::int32_t> pes,
                               std::span<const std::uint64_t> slots) {
      narrow.resize(slots.size());
      for (std::size_t i = 0; i < pes.size(); ++i) {
        narrow[i] = static_cast<Slot>(slots[i]);
        positions_[next_position[static_cast<std::size_t>(pes[i])]++] =
            static_cast<std::uint32_t>(first + i);
      }
      s.push(reinterpret_cast<const std::byte*>(narrow.data()), pes);
    });
    s.finish();
  }

  void answer(std::byte* result) {
    with_row_size(mine_.row_bytes, [&](auto size) { answer_with<size.value>(result); });
  }
  template <std::size_t Bytes>
  void answer_with(std::byte* result) {
    const std::size_t bytes = mine_.row_bytes;
    std::vector<std::uint64_t> next = first_of_each(asked_);
    const take_rows take = [&](const run_of_rows& run) {
      const std::uint32_t* position = positions_.data() + next[static_cast<std::size_t>(run.from)];
      next[static_cast<std::size_t>(run.from)] += run.count;
      for (std::size_t i = 0; i < run.count; ++i) {
        copy_row<Bytes>(result + position[i] * bytes, run.rows + i * bytes, bytes);
      }
    };
    const auto copy_rows = [&](std::byte* place, std::size_t first, std::size_t n) {
      const Slot* slot = questions_.data() + first;
      for (std::size_t i = 0; i < n; ++i) {
        copy_row<Bytes>(place + i * bytes, mine_.rows + slot[i] * bytes, bytes);
      }
    };
    if (bytes > largest_item_bytes) {
      const std::size_t all = std::accumulate(arriving_.begin(), arriving_.end(), std::size_t(0));
      const auto rows = std::make_unique_for_overwrite<std::byte[]>(all * bytes);
      copy_rows(rows.get(), 0, all);
      exchange_grouped_rows(world_, rows.get(), bytes, arriving_, call, take);
      return;
    }
    const std::vector<std::uint64_t> first_question = first_of_each(arriving_);
    row_session s(world_, bytes, call, take);
    to_each_pe(world_, [&](int pe) {
      const std::size_t first = first_question[static_cast<std::size_t>(pe)];
      s.push_run(
          pe, arriving_[static_cast<std::size_t>(pe)],
          [&](std::byte* place, std::size_t i, std::size_t n) { copy_rows(place, first + i, n); });
    });
    s.finish();
  }

  world& world_;
  table_part mine_;
  std::vector<std::uint64_t> asked_;      // how many questions go to each PE
  std::vector<std::uint64_t> arriving_;   // number from each PE
  std::vector<Slot> questions_;           // in the order of PEs
  std::vector<std::uint32_t> positions_;  // in the result, of the questions
};

template <typename Slot>
void gather_slots(world& w, const indices_in_table& indices, std::size_t most_indices,
                  const table_part& mine, std::byte* result) {
  gathering<Slot> g(w, mine);
  const std::size_t at_once = gathering<Slot>::most_at_once(mine.row_bytes);
  for (std::size_t first = 0; first < most_indices; first += at_once) {
    located_indices some = indices.some(first, at_once);
    g.run(some, result + std::min(first, indices.count()) * mine.row_bytes);
  }
}

}  // namespace

void gather_rows(world& w, const indices_in_table& indices, std::size_t most_indices,
                 const table_part& mine, std::byte* result) {
  if (indices.table().longest() <= std::numeric_limits<std::uint32_t>::max()) {
    gather_slots<std::uint32_t>(w, indices, most_indices, mine, result);
  } else {
    gather_slots<std::uint64_t>(w, indices, most_indices, mine, result);
  }
}

}  // namespace boxcar::python

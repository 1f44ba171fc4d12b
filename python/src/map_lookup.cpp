#include "map_lookup.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include "row_exchange.hpp"
#include "row_size.hpp"

namespace boxcar::python {
namespace {

// A lookup has four steps: first the number of questions to each PE; then the questions, which are
// keys; then the values, which come back in the order of the questions from each PE; at the end the
// numbers of the questions whose keys are absent. So neither a question nor its answer carries an
// identification.
class lookup {
 public:
  lookup(world& w, const key_table& mine, std::size_t key_bytes, const map_answers& answers)
      : world_(w),
        mine_(mine),
        key_bytes_(key_bytes),
        answers_(answers),
        at_once_(std::clamp<std::size_t>(most_bytes / (key_bytes + answers.value_bytes), 1,
                                         most_questions)) {}

  [[nodiscard]] std::size_t at_once() const { return at_once_; }

  // Looks up `count` keys from `first` on.
  void run(const map_keys& keys, std::size_t first, std::size_t count) {
    first_ = first;
    ask(keys, count);
    number_questions();
    with_row_size(answers_.value_bytes, [this](auto size) {
      find<size.value>();
      if (answers_.value_bytes != 0) return_values<size.value>();
    });
    report_absent();
  }

 private:
  void ask(const map_keys& keys, std::size_t count) {
    owners_.resize(count);
    sent_.resize(count * key_bytes_);
    const auto pes = static_cast<std::size_t>(world_.size());
    keys.write(first_, sent_.data(), key_bytes_, pes, owners_);
    asked_.assign(pes, 0);
    for (const std::int32_t pe : owners_) ++asked_[static_cast<std::size_t>(pe)];
    arriving_ = exchange_counts(world_, asked_);
    arrived_ = std::accumulate(arriving_.begin(), arriving_.end(), std::size_t(0));
    questions_.resize(arrived_ * key_bytes_);
    std::vector<std::uint64_t> next = first_of_each(arriving_);
    exchange_rows(world_, sent_.data(), key_bytes_, owners_, call,
                  put_in_order(next, key_bytes_, questions_.data()));
  }

  // Sets positions_[k] to the position of the k-th question in the order of PEs.
  void number_questions() {
    std::vector<std::uint64_t> next = first_of_each(asked_);
    positions_.resize(owners_.size());
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      positions_[next[static_cast<std::size_t>(owners_[i])]++] = static_cast<std::uint32_t>(i);
    }
  }

  // Looks up the questions of all PEs, and copies the values. Questions whose keys are absent are
  // noted by their numbers, counted from the first question of the PE.
  template <std::size_t Bytes>
  void find() {
    const std::size_t bytes = answers_.value_bytes;
    const packed_keys all{questions_.data(), key_bytes_, key_bytes_, arrived_};
    rows_.resize(arrived_ * bytes);
    absent_.clear();
    absent_counts_.assign(arriving_.size(), 0);
    std::array<std::byte*, keys_at_once> values;
    std::byte* row = rows_.data();
    std::size_t question = 0;
    for (std::size_t pe = 0; pe < arriving_.size(); ++pe) {
      const std::size_t first = question;
      const std::size_t end = first + arriving_[pe];
      while (question < end) {
        const std::size_t n = std::min(keys_at_once, end - question);
        mine_.find(all.some(question, n), values);
        for (std::size_t i = 0; i < n; ++i, row += bytes) {
          if (values[i] != nullptr) [[likely]] {
            copy_row<Bytes>(row, values[i], bytes);
          } else {
            std::memset(row, 0, bytes);
            absent_.push_back(static_cast<std::uint32_t>(question + i - first));
            ++absent_counts_[pe];
          }
        }
        question += n;
      }
    }
  }

  template <std::size_t Bytes>
  void return_values() {
    const std::size_t bytes = answers_.value_bytes;
    std::vector<std::uint64_t> next = first_of_each(asked_);
    std::byte* const into = answers_.values + first_ * bytes;
    const take_rows take = [&](const run_of_rows& run) {
      std::uint64_t& place = next[static_cast<std::size_t>(run.from)];
      const std::uint32_t* const position = positions_.data() + place;
      place += run.count;
      for (std::size_t i = 0; i < run.count; ++i) {
        copy_row<Bytes>(into + position[i] * bytes, run.rows + i * bytes, bytes);
      }
    };
    exchange_grouped_rows(world_, rows_.data(), bytes, arriving_, call, take);
  }

  void report_absent() {
    const std::vector<std::uint64_t> first_question = first_of_each(asked_);
    const take_rows take = [&](const run_of_rows& run) {
      for (std::size_t i = 0; i < run.count; ++i) {
        std::uint32_t number;
        std::memcpy(&number, run.rows + i * sizeof number, sizeof number);
        const std::uint64_t k = first_question[static_cast<std::size_t>(run.from)] + number;
        answers_.found[first_ + positions_[k]] = 0;
      }
    };
    exchange_grouped_rows(world_, reinterpret_cast<const std::byte*>(absent_.data()),
                          sizeof(std::uint32_t), absent_counts_, call, take);
  }

  // The data of questions in flight stays in a core's cache: the limits are a number of questions
  // at a time, and a number of bytes.
  static constexpr std::size_t most_questions = std::size_t(1) << 17;
  static constexpr std::size_t most_bytes = std::size_t(1) << 26;
  static constexpr std::size_t keys_at_once = 512;
  static constexpr const char* call = "DistributedMap.get";

  world& world_;
  const key_table& mine_;
  std::size_t key_bytes_;
  map_answers answers_;
  std::size_t at_once_;
  std::size_t first_ = 0;                // of the keys that are looked up now
  std::vector<std::int32_t> owners_;     // of these keys
  std::vector<std::byte> sent_;          // these keys
  std::vector<std::uint64_t> asked_;     // how many questions go to each PE
  std::vector<std::uint64_t> arriving_;  // number from each PE
  std::size_t arrived_ = 0;
  std::vector<std::byte> questions_;          // arrived keys, in the order of PEs
  std::vector<std::byte> rows_;               // the values of these keys
  std::vector<std::uint32_t> absent_;         // see find
  std::vector<std::uint64_t> absent_counts_;  // of each PE
  std::vector<std::uint32_t> positions_;      // of sent questions among the keys
};

}  // namespace

void look_up(world& w, const key_table& mine, const map_keys& keys, std::size_t most_keys,
             const map_answers& answers) {
  std::ranges::fill(answers.found, std::uint8_t{1});
  lookup l(w, mine, keys.bytes(), answers);
  for (std::size_t first = 0; first < most_keys; first += l.at_once()) {
    const std::size_t begin = std::min(first, keys.count());
    l.run(keys, begin, std::min(l.at_once(), keys.count() - begin));
  }
}

}  // namespace boxcar::python

#include "substrate/ofi/counted_puts.hpp"

#include <string>
#include <utility>

#include "substrate/cluster/refusal.hpp"
#include "substrate/ofi/random_number.hpp"
#include "substrate/ofi/tags.hpp"

namespace boxcar::detail::ofi {
namespace {

// The layout of a word, from the low end: the grant of the origin PE, the counter, and, in a word
// of 64 bits, the number of bytes.
constexpr unsigned grant_bits = 8;
constexpr unsigned counter_bits = 24;
constexpr unsigned short_word_bits = grant_bits + counter_bits;
constexpr std::uint32_t heard_per_answer = counted_puts::granted / 2;
// The bit `has_bytes` of a number: the word of the put contains the bytes.
constexpr std::uint64_t has_bytes = std::uint64_t{1} << short_word_bits;

constexpr std::uint64_t mask(unsigned bits) {
  return (std::uint64_t{1} << bits) - 1;
}

}  // namespace

std::uint64_t word_of(std::uint64_t number, std::size_t bytes) {
  const std::uint64_t word = number & mask(short_word_bits);
  return (number & has_bytes) == 0 ? word : word | std::uint64_t{bytes} << short_word_bits;
}

class counted_puts::counter_of_puts final : public put_counter {
 public:
  counter_of_puts(std::shared_ptr<counted_puts> of, const rank_list& members, bool of_bytes,
                  put_listener listener)
      : of_(std::move(of)), members_(members), of_bytes_(of_bytes), listener_(std::move(listener)) {
    const auto lock = of_->at_->acquire_lock();
    counter_ = of_->add(listener_);
  }
  counter_of_puts(const counter_of_puts&) = delete;
  counter_of_puts& operator=(const counter_of_puts&) = delete;
  ~counter_of_puts() override {
    const auto lock = of_->at_->acquire_lock();
    of_->remove(counter_);
  }

  std::uint64_t number_for(int from) override {
    const auto lock = of_->at_->acquire_lock();
    const std::uint64_t number = of_->number_for(members_[from], counter_);
    return number != 0 && of_bytes_ ? number | has_bytes : number;
  }

 private:
  std::shared_ptr<counted_puts> of_;
  rank_list members_;
  bool of_bytes_;
  put_listener listener_;
  std::uint32_t counter_ = 0;
};

counted_puts::counted_puts(std::shared_ptr<endpoint> at, std::shared_ptr<answers> hears)
    : at_(std::move(at)), hears_(std::move(hears)), peers_(at_->size()) {
  at_->listen_to_words(*this);
  hears_->listen(counting_channel, *this);
}

counted_puts::~counted_puts() {
  hears_->stop_listening(counting_channel);
  at_->ignore_words();
}

std::unique_ptr<put_counter> counted_puts::make_counter(const std::shared_ptr<counted_puts>& of,
                                                        const rank_list& members, bool of_bytes,
                                                        put_listener listener) {
  const unsigned bits = of->at_->word_bits();
  if (bits < (of_bytes ? 2 * short_word_bits : short_word_bits)) return nullptr;
  return std::make_unique<counter_of_puts>(of, members, of_bytes, std::move(listener));
}

void counted_puts::require_success() const {
  if (!problem_.empty()) throw_refusal(problem_);
}

bool counted_puts::has_room(int to) {
  require_success();
  return peers_[static_cast<std::uint32_t>(to)] < granted;
}

// Counters and grants have random numbers: a word from outside the job hardly ever names both an
// existing grant and an existing counter.
std::uint32_t counted_puts::add(const put_listener& listener) {
  std::uint32_t counter = 0;
  do {
    counter = static_cast<std::uint32_t>(random_number() & mask(counter_bits));
  } while (counter == 0 || counters_.contains(counter));
  counters_[counter] = &listener;
  return counter;
}

std::uint64_t counted_puts::number_for(int from, std::uint32_t counter) {
  auto found = grant_of_.find(from);
  if (found == grant_of_.end()) {
    if ((grants_.size() + 1) * granted > at_->max_words() || grants_.size() == mask(grant_bits)) {
      return 0;
    }
    std::uint64_t number = 0;
    do {
      number = random_number() & mask(grant_bits);
    } while (!grants_.try_emplace(number, grant{from}).second);
    found = grant_of_.emplace(from, number).first;
  }
  return std::uint64_t{counter} << grant_bits | found->second;
}

void counted_puts::heard(std::uint64_t word) {
  const auto by = grants_.find(word & mask(grant_bits));
  if (by == grants_.end()) {
    problem_ = "a put by " + at_->provider() +
               " has brought a number that this PE has given to no other: it is not of this job";
    return;
  }
  // (A put for a destroyed counter is not counted.)
  const auto counter = static_cast<std::uint32_t>(word >> grant_bits & mask(counter_bits));
  const auto found = counters_.find(counter);
  if (found != counters_.end()) (*found->second)(word >> short_word_bits);
  grant& g = by->second;
  if (++g.heard != heard_per_answer) return;
  g.heard = 0;
  hears_->send(g.to, counting_channel);
}

void counted_puts::answered(int from) {
  std::uint32_t& on_their_way = peers_[static_cast<std::uint32_t>(from)];
  if (on_their_way < heard_per_answer) {
    problem_ = "PE " + std::to_string(from) +
               " of the job has heard of more puts than this PE has sent it";
    return;
  }
  on_their_way -= heard_per_answer;
}

}  // namespace boxcar::detail::ofi

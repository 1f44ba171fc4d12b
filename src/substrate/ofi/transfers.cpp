#include "substrate/ofi/transfers.hpp"

#include <algorithm>
#include <utility>

#include "substrate/cluster/refusal.hpp"

namespace boxcar::detail::ofi {

transfers::transfers(endpoint& at, counted_puts& counted, std::function<void()> wait)
    : at_(at),
      counted_(counted),
      wait_(std::move(wait)),
      operations_(std::make_unique<std::array<operation, all>>()),
      little_rooms_(std::make_unique<std::byte[]>(little_ones * little_bytes)),
      little_memory_(at, little_rooms_.get(), little_ones * little_bytes,
                     registered::use::transfers) {
  for (std::size_t i = 0; i < all; ++i) {
    (*operations_)[i].owner = this;
    (*operations_)[i].index = static_cast<std::uint32_t>(i);
  }
}

transfers::~transfers() {
  const auto lock = at_.acquire_lock();
  if (at_.end_soon(*operations_)) return;
  static_cast<void>(operations_.release());
  static_cast<void>(little_rooms_.release());
  static_cast<void>(large_rooms_.release());
  little_memory_.abandon();
  large_memory_.abandon();
}

void transfers::put(int to, const remote_memory& there, std::size_t at,
                    std::span<const std::byte> data) {
  put(to, there, at, data, {});
}

void transfers::put_counted(int to, const remote_memory& there, std::size_t at,
                            std::span<const std::byte> data, std::uint64_t number) {
  put(to, there, at, data, word_of(number, data.size()));
}

// A word goes with the last piece.
void transfers::put(int to, const remote_memory& there, std::size_t at,
                    std::span<const std::byte> data, std::optional<std::uint64_t> word) {
  bool is_first = true;
  while (!data.empty()) {
    const auto piece = data.first(std::min(data.size(), large_bytes));
    const bool at_once = piece.size() <= at_.max_put_at_once();
    const bool is_counted = word.has_value() && piece.size() == data.size();
    // The last piece would overtake the earlier pieces.
    if (is_counted && !is_first && !at_.puts_in_order(large_bytes)) complete();
    const transfer t{
        .pe = to, .at = at, .bytes = piece.size(), .key = there.key, .is_counted = is_counted};
    begin(t, [&](std::size_t number) {
      if (is_counted && !counted_.has_room(to)) return false;
      operation& op = (*operations_)[number];
      const auto own_word = is_counted ? word : std::optional<std::uint64_t>();
      if (!at_once) std::ranges::copy(piece, room(number).begin());
      const registered& memory = number < little_ones ? little_memory_ : large_memory_;
      const std::span<const std::byte> from = at_once ? piece : room(number).first(piece.size());
      if (!at_.put(op, to, from, at_once ? nullptr : &memory, there, at, at_once, own_word)) {
        return false;
      }
      if (is_counted) {
        counted_.begun(to);
        ++counted_under_way_;
      }
      return true;
    });
    is_first = false;
    data = data.subspan(piece.size());
    at += piece.size();
  }
}

void transfers::get(int from, const remote_memory& there, std::size_t at,
                    std::span<std::byte> into) {
  while (!into.empty()) {
    const auto piece = into.first(std::min(into.size(), large_bytes));
    begin({.pe = from,
           .at = at,
           .bytes = piece.size(),
           .key = there.key,
           .into = piece.data(),
           .is_get = true},
          [&](std::size_t number) {
            const registered& memory = number < little_ones ? little_memory_ : large_memory_;
            return at_.get((*operations_)[number], from, room(number).first(piece.size()), memory,
                           there, at);
          });
    into = into.subspan(piece.size());
    at += piece.size();
  }
}

void transfers::finish_gets() {
  wait_while([this] { return gets_ != 0; });
}

void transfers::fence() {
  if (!at_.sends_after_puts()) return complete();
  finish_gets();
}

void transfers::order_puts() {
  const auto any_counted = [this] {
    const auto lock = at_.acquire_lock();
    return counted_under_way_ != 0;
  };
  if (!at_.puts_in_order(large_bytes) || any_counted()) return complete();
  fence();
}

void transfers::complete() {
  wait_while([this] { return puts_ + gets_ != 0; });
}

bool transfers::is_in_the_way(const transfer& of) const {
  for (std::size_t i = 0; i < all; ++i) {
    const transfer& other = transfers_[i];
    if (!(*operations_)[i].under_way || (other.is_get && of.is_get)) continue;
    const bool overlaps = other.at < of.at + of.bytes && of.at < other.at + other.bytes;
    if (other.pe == of.pe && other.key == of.key && overlaps) return true;
  }
  return false;
}

std::size_t transfers::find_free(std::size_t bytes) const {
  for (std::size_t i = bytes <= little_bytes ? 0 : little_ones; i < all; ++i) {
    if (!(*operations_)[i].under_way) return i;
  }
  return all;
}

std::span<std::byte> transfers::room(std::size_t number) const {
  if (number < little_ones) return {&little_rooms_[number * little_bytes], little_bytes};
  return {&large_rooms_[(number - little_ones) * large_bytes], large_bytes};
}

void transfers::make_large_rooms() {
  large_rooms_ = std::make_unique<std::byte[]>(large_ones * large_bytes);
  large_memory_ =
      registered(at_, large_rooms_.get(), large_ones * large_bytes, registered::use::transfers);
}

template <typename Attempt>
void transfers::begin(const transfer& t, const Attempt& attempt) {
  wait_while([&] {
    if (is_in_the_way(t)) return true;
    const std::size_t number = find_free(t.bytes);
    if (number == all) return true;
    if (number >= little_ones && large_rooms_ == nullptr) make_large_rooms();
    transfers_[number] = t;
    if (!attempt(number)) return true;
    ++(t.is_get ? gets_ : puts_);
    return false;
  });
}

// (With a progress thread, transfers end on the progress thread, under the endpoint's lock.)
template <typename Condition>
void transfers::wait_while(const Condition& is_to_come) {
  const auto must_wait = [&] {
    const auto lock = at_.acquire_lock();
    require_success();
    return is_to_come();
  };
  try {
    while (must_wait()) wait_();
  } catch (...) {
    // The target buffers of gets may be gone soon.
    const auto lock = at_.acquire_lock();
    for (transfer& t : transfers_) t.into = nullptr;
    throw;
  }
}

void transfers::require_success() const {
  if (!problem_.empty()) throw_refusal(problem_);
}

void transfers::sent(operation& op) {
  const transfer& t = transfers_[op.index];
  --(t.is_get ? gets_ : puts_);
  if (t.is_counted) --counted_under_way_;
  if (t.into != nullptr) std::ranges::copy(room(op.index).first(t.bytes), t.into);
}

void transfers::failed(operation& op, const std::string& reason) {
  const transfer& t = transfers_[op.index];
  --(t.is_get ? gets_ : puts_);
  problem_ = t.is_get ? "getting from memory of PE " : "putting into memory of PE ";
  problem_ += std::to_string(t.pe) + " by " + at_.provider() + " failed: " + reason;
  if (!t.is_counted) return;
  --counted_under_way_;
  counted_.fail(problem_);
}

}  // namespace boxcar::detail::ofi

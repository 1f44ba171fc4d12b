// The transport of arrays by a stream: small arrays in buffers, large arrays by rendezvous.
#include <algorithm>
#include <cstring>
#include <utility>

#include <boxcar/detail/array_stream.hpp>

#include "substrate/large_items.hpp"

namespace boxcar::detail {
namespace {

// The message that replaces a large array.
struct ticket {
  bulk_ticket where;
  std::int32_t source;
  std::int32_t unused = 0;
};

constexpr std::size_t bytes_of_word = sizeof(std::uint32_t);
// The number of arrays follows the arrays of a buffer.
constexpr std::size_t trailer = bytes_of_word;
constexpr std::size_t max_words = 2;
// The maximum total size of large arrays that wait to be fetched.
constexpr std::size_t most_offered = std::size_t{1} << 28;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

// Returns the size of a ticket, rounded up so that the next array is aligned.
constexpr std::size_t ticket_room(std::size_t alignment) {
  return round_up(sizeof(ticket), alignment);
}

stream_item_format with_least_buffer(stream_item_format f) {
  f.min_buffer_bytes = ticket_room(f.alignment) + max_words * bytes_of_word + trailer;
  return f;
}

}  // namespace

array_stream::array_stream(const world& w, const stream_item_format& element,
                           const stream_options& options)
    : stream_core(w, with_least_buffer(element), options),
      alignment_(element.alignment),
      large_(std::make_unique<large_items>(the_world(), most_offered)) {
  array_stream::buffers_changed();
}

void array_stream::buffers_changed() {
  largest_in_buffer_ =
      buffer_bytes() / bytes_of_word * bytes_of_word - max_words * bytes_of_word - trailer;
}

array_stream::~array_stream() = default;

void array_stream::send_slowly(std::uint32_t link, std::span<const std::byte> array, int pe) {
  if (array.size() > largest_in_buffer_) return send_large(array, pe);
  put(link, array, static_cast<std::uint32_t>(pe), size_word_of(array.size(), false));
  if (holds_back_) holds_back_ = num_held_back() != 0;
}

void array_stream::broadcast(std::span<const std::byte> array) {
  if (pes_ == 0) refuse_send(static_cast<int>(me_));
  if (array.size() > largest_in_buffer_) {
    // A large array is not aggregated: every PE fetches the array from the sender.
    for (std::uint32_t pe = 0; pe < pes_; ++pe) send_large(array, static_cast<int>(pe));
    return;
  }
  const std::uint32_t size_word = size_word_of(array.size(), false);
  for (const std::uint16_t link : broadcast_links(route::source)) {
    put(link, array, to_all, size_word);
  }
  if (broadcast_is_for_here(route::source)) put(link_to(me_), array, me_, size_word);
}

void array_stream::send_large(std::span<const std::byte> array, int pe) {
  const auto to = static_cast<std::uint32_t>(pe);
  // Within a handler, held-back arrays come first. A ticket made now would queue behind the
  // held-back arrays, and keep the place for which the arrays wait.
  std::optional<std::vector<std::byte>> payload;
  if (num_held_back() == 0) payload = ticket_for(array, to);
  wait_outside_of_handlers([&] {
    if (!payload) payload = ticket_for(array, to);
    return payload.has_value();
  });
  if (payload) return put(link_to(to), *payload, to, size_word_of(payload->size(), true));
  if (bounded_) wait_to_hold_one_more();
  hold_back_whole(link_to(to), array, to);
  holds_back_ = true;
}

std::optional<std::vector<std::byte>> array_stream::ticket_for(std::span<const std::byte> array,
                                                               std::uint32_t to) {
  large_->forget_fetched();
  if (!large_->may_put_up(array.size())) return std::nullopt;
  const auto where = large_->put_up(static_cast<int>(to), array);
  if (!where) return std::nullopt;
  const ticket t{*where, static_cast<std::int32_t>(me_)};
  std::vector<std::byte> payload(ticket_room(alignment_));
  std::memcpy(payload.data(), &t, sizeof t);
  return payload;
}

bool array_stream::put_up(std::vector<std::byte>& array, std::uint32_t to,
                          std::uint32_t& size_word) {
  auto payload = ticket_for(array, to);
  if (!payload) return false;
  size_word = size_word_of(payload->size(), true);
  array = std::move(*payload);
  return true;
}

bool array_stream::ready_to_end() {
  large_->forget_fetched();
  if (!large_->all_fetched()) return false;
  large_->end_session();
  return true;
}

void array_stream::put(std::uint32_t link, std::span<const std::byte> payload,
                       std::uint32_t destination, std::uint32_t size_word) {
  if (bounded_) wait_to_hold_one_more();
  if (!wait_for_room(link, payload.size())) {
    holds_back_ = true;
    return hold_back(link, payload.data(), payload.size(), destination, size_word);
  }
  store<true>(link, payload, destination, size_word);
}

bool array_stream::pass_on(std::uint32_t link, std::span<const std::byte> payload,
                           std::uint32_t destination, std::uint32_t size_word) {
  if (!has_room(link, payload.size())) {
    if (bounded_ && !hold_one_more()) return false;
    if (!find_room(link, payload.size())) {
      if (bounded_) --held_;
      return false;
    }
  }
  store<true>(link, payload, destination, size_word);
  return true;
}

bool array_stream::pass_on_to_all(int stage, std::span<const std::byte> payload,
                                  std::uint32_t size_word) {
  const std::vector<std::uint16_t>& links = broadcast_links(stage);
  for (std::size_t& put = broadcasts_put(stage); put < links.size(); ++put) {
    if (!pass_on(links[put], payload, to_all, size_word)) return false;
  }
  broadcasts_put(stage) = 0;
  count_forwarded(links.size());
  return true;
}

bool array_stream::work_off_each(arrived_items& a) {
  for (; a.left != 0; --a.left) {
    if (!work_off_one(a)) return false;
  }
  return true;
}

bool array_stream::work_off_one(arrived_items& a) {
  constexpr std::size_t words = 2;  // of an array on an inner stage
  const std::uint32_t to = a.word();
  const std::uint32_t size_word = a.word(1);
  const std::span<const std::byte> payload(a.items, bytes_of(size_word));
  if (to == to_all) {
    if (!pass_on_to_all(a.stage, payload, size_word)) return false;
    if (broadcast_is_for_here(a.stage)) {
      deliver(payload, false);
      count_handled(1);
    }
  } else if (to == me_) {
    deliver(payload, is_ticket(size_word));
    count_handled(1);
  } else {
    if (!pass_on(link_to(to), payload, to, size_word)) return false;
    count_forwarded(1);
  }
  a.items += payload.size();
  a.words_end -= words * bytes_of_word;
  return true;
}

void array_stream::deliver(std::span<const std::byte> payload, bool is_ticket) {
  if (!is_ticket) return handle(payload);
  ticket t;
  std::memcpy(&t, payload.data(), sizeof t);
  const auto delivery = large_->fetch(t.source, t.where);
  const std::span<const std::byte> array(delivery->data(), t.where.bytes);
  if (reinterpret_cast<std::uintptr_t>(array.data()) % alignment_ == 0) return handle(array);
  aligned_.resize(array.size() + alignment_);
  const auto address = reinterpret_cast<std::uintptr_t>(aligned_.data());
  std::byte* const copy = aligned_.data() + (alignment_ - address % alignment_) % alignment_;
  std::memcpy(copy, array.data(), array.size());
  handle({copy, array.size()});
}

}  // namespace boxcar::detail

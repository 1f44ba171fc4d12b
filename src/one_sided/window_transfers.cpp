// Puts, gets and atomic operations of windows on memory of PEs of other nodes, by the network
// itself or by requests.
#include <algorithm>
#include <cstring>
#include <vector>

#include "one_sided/atomic_update.hpp"
#include "one_sided/element_copy.hpp"
#include "one_sided/invalid_request.hpp"
#include "one_sided/window_operation.hpp"
#include "one_sided/window_state.hpp"

namespace boxcar::detail {
namespace {

// The least number of contiguous bytes of a put or get that do not go in messages of the mailbox,
// if there is another way.
constexpr std::size_t large_bytes = std::size_t{64} << 10;

// Returns how many of the bytes from byte `at` of a part on travel in a message with room for
// `most`. Messages are cut where words of 8 bytes begin: every element of 1, 2, 4 or 8 bytes
// travels as a whole.
constexpr std::size_t piece_at(std::size_t at, std::size_t bytes, std::size_t most) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  return bytes <= most ? bytes : (at + most) / word * word - at;
}

// Returns a request to put bytes from byte `at` of a window on, and to count the bytes. (Always
// inlined: the compiler sees the values of the fields.)
[[gnu::always_inline]] inline request put_of_bytes(std::uint64_t window, std::size_t at,
                                                   const counter_state* counting) {
  return {.object = window,
          .operation = put_contiguous,
          .at = at,
          .counter = counting == nullptr ? 0 : counting->number};
}

}  // namespace

bool window_state::ensure_reached(int pe, std::size_t bytes) {
  if (rma_ == nullptr || bytes < rma_->min_bytes()) return false;
  if (bytes >= large_bytes) {
    // The wait for requests and for the rkey is shorter than so many bytes would take by requests.
    if (!rma_->has_rkey(pe)) request_rkey(pe);
    if (rpc_.has_outstanding(pe)) rpc_.flush(pe);
    return true;
  }
  if (rpc_.has_outstanding(pe)) return false;
  if (rma_->has_rkey(pe)) return true;
  // Operations before the reply go by requests.
  request_rkey(pe);
  return false;
}

void window_state::request_rkey(int pe) {
  rpc_.call(pe, request{.object = number_, .operation = get_rkey}, {},
            [r = rma_, pe](std::span<const std::byte> place) {
              require_reply(place, r->rkey().size());
              r->set_rkey(pe, place);
            });
}

bool window_state::could_count(int pe, std::size_t bytes, counter_state& counting) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  return rma_ != nullptr && bytes != 0 && bytes >= rma_->min_bytes() && bytes <= most &&
         counting.may_have_number_at(pe);
}

void window_state::prepare_to_count(int pe, counter_state& counting) {
  if (rpc_.is_flushing(pe)) return;
  if (!rma_->has_rkey(pe)) request_rkey(pe);
  counting.ask_number(pe);
  rpc_.flush_async(pe);
}

void window_state::put_counted(int pe, std::size_t at, std::span<const std::byte> data,
                               counter_state& counting) {
  // Consecutive puts mostly go to the same PE.
  if (std::ranges::find(counted_at_.rbegin(), counted_at_.rend(), pe) == counted_at_.rend()) {
    counted_at_.push_back(pe);
  }
  rma_->put_counted(pe, at, data, counting.number_at(pe));
}

void window_state::put_here(const window_range& there, const std::byte* from, std::size_t stride,
                            counter_state* counting) {
  copy_strided(part_here(there.pe).data + there.index * what_.bytes, there.stride, from, stride,
               there.elements, what_.bytes);
  if (counting == nullptr) return;
  counting->add_here(there.pe, counting->worth(there.elements * what_.bytes));
}

// Most counting puts of few bytes go by a request, and end here.
void window_state::put_elsewhere(const window_range& there, const std::byte* from,
                                 std::size_t stride, counter_state* counting) {
  const std::size_t bytes = there.elements * what_.bytes;
  const bool is_one_request = rma_ == nullptr && there.stride == 1 && stride == 1 &&
                              bytes <= request_data_bytes && counting != nullptr &&
                              counting->receiver_adds;
  if (!is_one_request) return put_otherwise(there, from, stride, counting);
  rpc_.send(there.pe, put_of_bytes(number_, there.index * what_.bytes, counting), {from, bytes});
}

void window_state::put_otherwise(const window_range& there, const std::byte* from,
                                 std::size_t stride, counter_state* counting) {
  counter_state* const by_receiver =
      counting != nullptr && counting->receiver_adds ? counting : nullptr;
  const bool is_contiguous = there.stride == 1 && stride == 1;
  const std::size_t bytes = there.elements * what_.bytes;
  if (rma_ == nullptr && is_contiguous && by_receiver == counting) {
    return put_bytes(there.pe, there.index * what_.bytes, {from, bytes}, counting);
  }
  const bool is_counted_there =
      by_receiver != nullptr && is_contiguous && could_count(there.pe, bytes, *by_receiver);
  if (is_counted_there && bytes >= large_bytes && by_receiver->number_at(there.pe) == 0) {
    prepare_to_count(there.pe, *by_receiver);
    rpc_.flush(there.pe);
  }
  if (is_counted_there && by_receiver->number_at(there.pe) != 0 &&
      ensure_reached(there.pe, bytes)) {
    return put_counted(there.pe, there.index * what_.bytes, {from, bytes}, *by_receiver);
  }
  if (is_contiguous && by_receiver == nullptr && ensure_reached(there.pe, bytes)) {
    rma_->put(there.pe, there.index * what_.bytes, {from, bytes});
    if (counting != nullptr) rma_->fence();
  } else {
    fence_before_request();
    if (is_contiguous) {
      put_bytes(there.pe, there.index * what_.bytes, {from, bytes}, by_receiver);
    } else {
      put_scattered(there, from, stride);
    }
  }
  // The sender adds behind the data: requests are executed in order, behind a fence.
  if (counting != nullptr && by_receiver == nullptr) {
    counting->add(there.pe, counting->worth(bytes));
  }
  if (is_counted_there) prepare_to_count(there.pe, *by_receiver);
}

void window_state::put_scattered(const window_range& there, const std::byte* from,
                                 std::size_t stride) {
  const std::size_t at_once = request_data_bytes / what_.bytes;
  if (at_once == 0) {
    for (std::size_t i = 0; i < there.elements; ++i) {
      put_bytes(there.pe, (there.index + i * there.stride) * what_.bytes,
                {from + i * stride * what_.bytes, what_.bytes}, nullptr);
    }
    return;
  }
  std::vector<std::byte> packed(std::min(at_once, there.elements) * what_.bytes);
  for (std::size_t done = 0; done < there.elements;) {
    const std::size_t now = std::min(at_once, there.elements - done);
    copy_strided(packed.data(), 1, from + done * stride * what_.bytes, stride, now, what_.bytes);
    rpc_.send(there.pe,
              request{.object = number_,
                      .operation = put_strided,
                      .at = there.index + done * there.stride,
                      .elements = now,
                      .stride = there.stride},
              std::span(packed).first(now * what_.bytes));
    done += now;
  }
}

void window_state::put_bytes(int pe, std::size_t at, std::span<const std::byte> data,
                             counter_state* counting) {
  if (data.empty() && counting == nullptr) return;
  // Messages are counted with their last piece.
  const counter_state* const of_pieces =
      counting != nullptr && counting->what == counts::bytes ? counting : nullptr;
  const bool by_ticket = data.size() >= large_bytes && rpc_.moves_large_data();
  const std::size_t most = by_ticket ? max_large_bytes : request_data_bytes;
  const auto send = [&](const counter_state* counts, std::size_t piece) {
    const request r = put_of_bytes(number_, at, counts);
    if (by_ticket) {
      rpc_.send_large(pe, r, data.first(piece));
    } else {
      rpc_.send(pe, r, data.first(piece));
    }
    data = data.subspan(piece);
    at += piece;
  };
  while (data.size() > most) send(of_pieces, piece_at(at, data.size(), most));
  send(counting, data.size());
  if (by_ticket) rpc_.await_large_sends(pe);
}

void window_state::get(const window_range& there, std::byte* into, std::size_t stride, bool waits) {
  const std::size_t bytes = what_.bytes;
  if (is_here(there.pe)) {
    copy_strided(into, stride, part_here(there.pe).data + there.index * bytes, there.stride,
                 there.elements, bytes);
    return;
  }
  const bool contiguous = there.stride == 1 && stride == 1;
  if (contiguous && ensure_reached(there.pe, there.elements * bytes)) {
    return rma_->get(there.pe, there.index * bytes, {into, there.elements * bytes}, waits);
  }
  fence_before_request();
  if (!contiguous && reply_bytes / what_.bytes == 0) {
    for (std::size_t i = 0; i < there.elements; ++i) {
      get({there.pe, there.index + i * there.stride, 1}, into + i * stride * bytes, 1, waits);
    }
    return;
  }
  // The numbers count bytes if contiguous, and elements otherwise.
  const std::size_t all = contiguous ? there.elements * bytes : there.elements;
  const bool by_ticket = contiguous && all >= large_bytes && rpc_.moves_large_data();
  const std::size_t contiguous_at_once = by_ticket ? max_large_bytes : reply_bytes;
  const std::size_t at_once = contiguous ? contiguous_at_once : reply_bytes / what_.bytes;
  std::vector<rpc_engine::ticket> tickets;
  for (std::size_t done = 0; done < all;) {
    const std::size_t now = contiguous ? piece_at(there.index * bytes + done, all - done, at_once)
                                       : std::min(at_once, all - done);
    if (contiguous) {
      const request r{.object = number_,
                      .operation = get_contiguous,
                      .at = there.index * bytes + done,
                      .elements = now};
      const auto take = [to = into + done, now](std::span<const std::byte> reply) {
        require_reply(reply, now);
        std::ranges::copy(reply, to);
      };
      const bool is_large = by_ticket && now >= reply_bytes;
      tickets.push_back(is_large ? rpc_.call_large(there.pe, r, take, this)
                                 : rpc_.call(there.pe, r, {}, take, this));
    } else {
      tickets.push_back(rpc_.call(
          there.pe,
          request{.object = number_,
                  .operation = get_strided,
                  .at = there.index + done * there.stride,
                  .elements = now,
                  .stride = there.stride},
          {},
          [to = into + done * stride * bytes, stride, now,
           bytes](std::span<const std::byte> reply) {
            require_reply(reply, now * bytes);
            copy_strided(to, stride, reply.data(), 1, now, bytes);
          },
          this));
    }
    done += now;
  }
  if (!waits) return;
  for (const auto t : tickets) rpc_.wait(t);
  rpc_.note_answered(there.pe);
}

void window_state::update(int pe, std::size_t at, std::size_t bytes, const window_core::change& c) {
  operands by{};
  std::memcpy(by.value.data(), c.value, bytes);
  if (c.expected != nullptr) std::memcpy(by.expected.data(), c.expected, bytes);
  auto* const before = static_cast<std::byte*>(c.before);
  if (is_here(pe)) {
    return apply(c.what, part_here(pe).data + at, bytes, by, before);
  }
  fence_before_request();
  const request r{.object = number_,
                  .operation = first_update + static_cast<std::uint32_t>(c.what),
                  .at = at,
                  .elements = bytes};
  const auto data = std::as_bytes(std::span(&by, 1));
  if (before == nullptr) return rpc_.send(pe, r, data);
  rpc_.call_and_wait(pe, r, data, [before, bytes](std::span<const std::byte> reply) {
    require_reply(reply, bytes);
    std::ranges::copy(reply, before);
  });
}

}  // namespace boxcar::detail

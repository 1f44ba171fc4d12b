// The loops of a dispatch stream over arrived messages, and everything that runs rarely.
#include <algorithm>
#include <cstring>
#include <utility>

#include <boxcar/detail/dispatch_stream.hpp>

namespace boxcar::detail {

dispatch_stream::layout dispatch_stream::layout_of(const std::vector<message_kind>& kinds) {
  std::size_t bytes = 0;
  std::size_t alignment = 1;
  type_identity all = kinds.front().type;
  for (const message_kind& kind : kinds) {
    bytes = std::max(bytes, kind.bytes);
    alignment = std::max(alignment, kind.alignment);
    if (&kind != &kinds.front()) all.hash = ((all.hash ^ kind.type.hash) * 0x100000001b3) | 1;
  }
  if (kinds.size() > 1) ++bytes;
  return {(bytes + alignment - 1) / alignment * alignment, all};
}

dispatch_stream::dispatch_stream(const world& w, std::vector<message_kind> kinds,
                                 const stream_options& options)
    : dispatch_stream(w, layout_of(kinds), std::move(kinds), options) {}

dispatch_stream::dispatch_stream(const world& w, const layout& l, std::vector<message_kind>&& kinds,
                                 const stream_options& options)
    : item_stream(w, {.item_bytes = l.stride, .type = l.type}, options),
      kinds_(std::move(kinds)),
      stride_(l.stride),
      has_numbers_(kinds_.size() > 1) {}

std::vector<std::byte> dispatch_stream::compose(std::uint8_t kind, const void* message,
                                                std::size_t bytes) const {
  std::vector<std::byte> whole(stride_);
  std::memcpy(whole.data(), message, bytes);
  if (has_numbers_) whole.back() = std::byte{kind};
  return whole;
}

void dispatch_stream::send_slowly(std::uint8_t kind, const void* message, std::size_t bytes,
                                  int pe) {
  const auto to = static_cast<std::uint32_t>(pe);
  put<true>(link_to(to), compose(kind, message, bytes).data(), stride_, to);
}

void dispatch_stream::await_room(int pe) {
  const auto to = static_cast<std::uint32_t>(pe);
  if (to >= pes_) refuse_send(pe);
  if (bounded_) {
    wait_to_hold_one_more();
    --held_;
  }
  wait_for_room(link_to(to), stride_);
}

bool dispatch_stream::work_off(arrived_items& c) {
  return work_in_handler([&] {
    if (c.words_end != nullptr) return handle_and_pass_on(c);
    handle(c.items, c.left);
    count_handled(c.left);
    c.left = 0;
    return true;
  });
}

void dispatch_stream::handle(const std::byte* first, std::size_t count) {
  if (!has_numbers_) {
    if (count != 0) kinds_.front().handle(kinds_.front().receiver, {first, count, stride_});
    return;
  }
  const auto number_of = [first, this](std::size_t i) { return first[(i + 1) * stride_ - 1]; };
  for (std::size_t i = 0; i != count;) {
    const std::byte number = number_of(i);
    std::size_t end = i + 1;
    while (end != count && number_of(end) == number) ++end;
    const message_kind& kind = kinds_[std::to_integer<std::size_t>(number)];
    kind.handle(kind.receiver, {first + i * stride_, end - i, stride_});
    i = end;
  }
}

bool dispatch_stream::handle_and_pass_on(arrived_items& c) {
  std::size_t handled = 0;
  std::size_t forwarded = 0;
  bool has_room = true;
  while (has_room && c.left != 0) {
    const std::uint32_t to = c.word();
    std::size_t messages = 1;
    if (to == me_) {
      while (messages != c.left && c.word(messages) == me_) ++messages;
      handle(c.items, messages);
      handled += messages;
    } else if (to == to_all) {
      has_room = pass_on_to_all(c, stride_);
      if (has_room && broadcast_is_for_here(c.stage)) {
        handle(c.items, 1);
        ++handled;
      }
    } else {
      has_room = pass_on(link_to(to), c.items, stride_, to);
      forwarded += has_room ? 1 : 0;
    }
    if (!has_room) break;
    c.items += messages * stride_;
    c.words_end -= messages * sizeof(std::uint32_t);
    c.left -= messages;
  }
  count_handled(handled);
  count_forwarded(forwarded);
  return has_room;
}

}  // namespace boxcar::detail

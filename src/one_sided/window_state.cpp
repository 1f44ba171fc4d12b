#include "one_sided/window_state.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <exception>
#include <limits>
#include <string>

#include <boxcar/error.hpp>

#include "one_sided/atomic_update.hpp"
#include "one_sided/client_memory.hpp"
#include "one_sided/element_copy.hpp"
#include "one_sided/invalid_request.hpp"
#include "one_sided/window_operation.hpp"
#include "substrate/agreement.hpp"

namespace boxcar::detail {
namespace {

constexpr std::size_t head_bytes = 64;

}  // namespace

void window_state::agree(const substrate& world, const window_element& what,
                         const object_memory& mine, agreement& all) {
  constexpr std::size_t most_bytes = std::numeric_limits<std::ptrdiff_t>::max() - head_bytes;
  const bool is_word = std::has_single_bit(what.bytes) && what.bytes <= sizeof(std::uint64_t);
  const std::size_t boundary = is_word ? what.bytes : what.alignment;
  const auto here =
      static_cast<std::size_t>(world.layout().local_size(world.node_of(world.rank())));
  if (mine.elements > most_bytes / here / what.bytes) {
    all.object(std::to_string(mine.elements) + " elements of " + std::to_string(what.bytes) +
               " bytes are more than there is memory: give fewer");
  } else if (reinterpret_cast<std::uintptr_t>(mine.data) % boundary != 0) {
    all.object("the memory does not begin on a boundary of " + std::to_string(boundary) +
               " bytes, as atomic operations on its elements need");
  }
  check_client_memory(world, mine, all);
  all.on("element type", what.type.name);
  all.on("element size", what.bytes);
  all.on("memory", std::string_view(mine.is_clients ? "the program's own" : "allocated"));
}

window_state::window_state(substrate& of, rpc_engine& rpc, std::uint64_t number,
                           const window_element& what, const object_memory& mine,
                           bool are_sizes_equal)
    : world(of),
      what_(what),
      is_of_program_(mine.is_clients),
      number_(number),
      rpc_(rpc),
      my_place_(of.layout().local_rank(of.rank())) {
  if (are_sizes_equal) {
    size_of_all_ = mine.elements;
  } else {
    sizes_ = std::make_unique<pe_table<std::uint64_t>>(world.size());
  }
  const std::size_t bytes = mine.is_clients ? 0 : mine.elements * what_.bytes;
  // If parts differ in length, all parts would take as much as the longest.
  if (!mine.is_clients && are_sizes_equal && world.layout().nodes() > 1) {
    rma_ = world.make_rma_region(bytes);
  }
  if (rma_ != nullptr) std::memset(rma_->mine(), 0, bytes);
  memory_ = mine.is_clients ? world.share_memory(head_bytes, false)
                            : world.share_object_memory(head_bytes + (rma_ == nullptr ? bytes : 0));
  const part_head about_mine{mine.elements, reinterpret_cast<std::uint64_t>(mine.data)};
  std::memcpy(memory_->block(my_place_), &about_mine, sizeof about_mine);
  if (mine.is_clients) find_parts_of_program(mine);
}

window_state::part_head window_state::head_of(int place) const {
  part_head head;
  std::memcpy(&head, memory_->block(place), sizeof head);
  return head;
}

void window_state::find_parts_of_program(const object_memory& mine) {
  world.barrier();
  std::vector<std::byte*> addresses;
  std::vector<std::size_t> sizes;
  const int here = world.layout().local_size(world.node_of(world.rank()));
  for (int place = 0; place < here; ++place) {
    const part_head head = head_of(place);
    addresses.push_back(reinterpret_cast<std::byte*>(head.clients));
    sizes.push_back(head.elements * what_.bytes);
  }
  addresses = find_client_memory(world, mine, addresses, sizes, "window");
  for (std::size_t place = 0; place < addresses.size(); ++place) {
    parts_.push_back({addresses[place], sizes[place] / what_.bytes});
  }
}

void window_state::opened() {
  memory_->seal();
  if (is_of_program_) return;
  const int node = world.node_of(world.rank());
  for (int place = 0; place < world.layout().local_size(node); ++place) {
    const int pe = world.layout().pe_at(node, place);
    std::byte* at = memory_->block(place) + head_bytes;
    if (rma_ != nullptr) at = pe == world.rank() ? rma_->mine() : rma_->of_node(pe);
    parts_.push_back({at, head_of(place).elements});
  }
}

const window_part& window_state::mine() const {
  return parts_[static_cast<std::size_t>(my_place_)];
}

const window_part& window_state::part_here(int pe) const {
  return parts_[static_cast<std::size_t>(world.layout().local_rank(pe))];
}

std::size_t window_state::size(int pe) {
  if (size_of_all_) return *size_of_all_;
  if (is_here(pe)) return part_here(pe).elements;
  std::uint64_t& known = (*sizes_)[static_cast<std::uint32_t>(pe)];
  if (known == 0) {
    require_free(world, "size");
    rpc_.call_and_wait(pe, request{.object = number_, .operation = ask_size}, {},
                       [&known](std::span<const std::byte> reply) {
                         require_reply(reply, sizeof known);
                         std::memcpy(&known, reply.data(), sizeof known);
                         ++known;
                       });
  }
  return known - 1;
}

void window_state::check_closely(const char* operation, const window_range& there,
                                 std::size_t stride_here) {
  if (there.stride == 0 || stride_here == 0) {
    throw argument_error(std::string(operation) +
                         ": the stride is 0, by which all elements would be one; give at least 1");
  }
  const std::size_t size = this->size(there.pe);
  const std::size_t room = there.index <= size ? size - there.index : 0;
  const bool fits = there.elements == 0
                        ? there.index <= size
                        : room != 0 && (there.elements - 1) <= (room - 1) / there.stride;
  if (fits) return;
  std::string which = "element " + std::to_string(there.index);
  if (there.elements != 1) {
    which =
        std::to_string(there.elements) + " elements from " + std::to_string(there.index) + " on";
    if (there.stride != 1)
      which += ", each " + std::to_string(there.stride) + " behind the one before,";
  }
  throw argument_error(
      std::string(operation) + ": " + which + " of PE " + std::to_string(there.pe) +
      " would leave its part of the window, which has " + std::to_string(size) + "; see size()");
}

void window_state::complete() {
  if (rma_ == nullptr) return;
  rma_->complete();
  // A PE that answers has heard of all earlier puts.
  for (const int pe : counted_at_) rpc_.require_flush(pe);
  counted_at_.clear();
}

void window_state::flush(int pe) {
  complete();
  rpc_.flush(pe);
}
void window_state::flush_all() {
  complete();
  rpc_.flush_all();
}

void window_state::wait(const std::function<bool()>& is_there) {
  while (!is_there()) rpc_.idle_unrung();
  rpc_.end_wait();
}

void window_state::dropped() noexcept {
  if (std::uncaught_exceptions() != 0) abandoned();
}

void window_state::abandoned() noexcept {
  give_up_gets();
  const rpc_engine::lock l = rpc_.acquire_lock();
  window_part& part = parts_[static_cast<std::size_t>(my_place_)];
  if (is_of_program_) part.data = placeholder_.replace(part.data, part.elements * what_.bytes);
}

void window_state::give_up_gets() noexcept {
  rpc_.forget_replies_to(*this);
  try {
    complete();  // gets by the network
  } catch (const std::exception&) {
    // The network delivers nothing any more, and waiting PEs of the world get the error.
  }
}

void window_state::execute(const request& r, std::span<const std::byte> data, reply_room& reply) {
  const window_part& part = mine();
  const std::size_t bytes = what_.bytes;
  const std::size_t all = part.elements * bytes;
  const auto require = [&](bool is_possible) {
    if (!is_possible) [[unlikely]]
      refuse_request("a window", r, data.size());
  };
  // Returns whether `n` bytes from byte `at` on are within the part.
  const auto is_within = [all](std::uint64_t at, std::uint64_t n) {
    return at <= all && n <= all - at;
  };
  // Returns whether the requested elements, a stride apart, are within the part.
  const auto are_within = [&] {
    return r.elements == 0 || (r.at < part.elements && r.stride != 0 &&
                               r.elements - 1 <= (part.elements - 1 - r.at) / r.stride);
  };
  switch (r.operation) {
    case put_contiguous:
      require(is_within(r.at, data.size()));
      return copy_contiguous(part.data + r.at, data.data(), data.size(), bytes);
    case put_strided:
      require(are_within() && r.elements <= message_bytes && r.elements * bytes == data.size());
      return copy_strided(part.data + r.at * bytes, r.stride, data.data(), 1, r.elements, bytes);
    case get_contiguous:
      require(r.elements <= reply.room.size() && is_within(r.at, r.elements));
      copy_contiguous(reply.room.data(), part.data + r.at, r.elements, bytes);
      reply.bytes = r.elements;
      return;
    case get_strided:
      require(are_within() && r.elements <= reply_bytes / bytes);
      copy_strided(reply.room.data(), 1, part.data + r.at * bytes, r.stride, r.elements, bytes);
      reply.bytes = r.elements * bytes;
      return;
    case ask_size: {
      const std::uint64_t size = part.elements;
      std::memcpy(reply.room.data(), &size, sizeof size);
      reply.bytes = sizeof size;
      return;
    }
    case get_rkey: {
      require(rma_ != nullptr);
      const std::span<const std::byte> place = rma_->rkey();
      std::ranges::copy(place, reply.room.data());
      reply.bytes = place.size();
      return;
    }
    default: {
      const bool is_word = r.elements <= sizeof(std::uint64_t) && std::has_single_bit(r.elements);
      require(r.operation <= last_update && data.size() == sizeof(operands) && is_word &&
              is_within(r.at, r.elements) && r.at % r.elements == 0);
      operands by{};
      std::memcpy(&by, data.data(), sizeof by);
      apply(static_cast<atomic_operation>(r.operation - first_update), part.data + r.at, r.elements,
            by, reply.room.data());
      reply.bytes = r.elements;
    }
  }
}

}  // namespace boxcar::detail

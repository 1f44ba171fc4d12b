// The creation of one-sided objects by all PEs together, and the destruction of objects that all
// PEs have dropped.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "one_sided/invalid_request.hpp"
#include "one_sided/rpc_engine.hpp"

namespace boxcar::detail {
namespace {

// The part of an object on a PE that could not make its part.
class unmade final : public remote_object {
 public:
  void execute(const request& r, std::span<const std::byte> data, reply_room&) override {
    refuse_request("no object", r, data.size());
  }
};

}  // namespace

void rpc_engine::agree(const agreement& on, std::string_view subject, std::string_view owner,
                       std::span<std::uint64_t> maxima) {
  world_.finish_pending_starts();
  // When all PEs have reached the end of the agreement, nothing is in flight to objects dropped
  // before. (The agreement may run beside the program, which drops more objects meanwhile.)
  const std::uint64_t last_drop = drops_;
  // The smallest number of all PEs is the complement of the largest complement.
  std::vector<std::uint64_t> numbers(maxima.begin(), maxima.end());
  numbers.push_back(~dropped_);
  complete_all();
  flush_all();
  on.require(world_, subject, owner, numbers);
  std::ranges::copy_n(numbers.begin(), static_cast<std::ptrdiff_t>(maxima.size()), maxima.begin());
  collect_garbage(last_drop, ~numbers.back());
}

remote_object& rpc_engine::add(const factory& make) {
  const std::uint64_t number = world_.number_object();
  std::unique_ptr<remote_object> made;
  const auto keep = [&]() -> remote_object& {
    const lock l = acquire_lock();
    found_ = {};
    added_ = (objects_[number] = std::move(made)).get();
    return *added_;
  };
  // All PEs have objects of the same numbers.
  const auto keep_unmade = [&] {
    made = std::make_unique<unmade>();
    drop(keep());
  };
  try {
    made = make(number);
  } catch (const system_error& e) {
    keep_unmade();
    shortage_ = e.what();
    throw;
  } catch (const argument_error&) {
    keep_unmade();
    added_ = nullptr;
    throw;
  }
  return keep();
}

void rpc_engine::open(const agreement& ready, std::string_view subject, std::string_view owner) {
  const std::string shortage = std::exchange(shortage_, {});
  std::uint64_t is_short = shortage.empty() ? 0 : 1;
  agreement all = ready;
  if (is_short != 0) all.object(shortage);
  const std::optional<objection> problem = all.reach(world_, {&is_short, 1});
  const lock l = acquire_lock();
  if (!problem) return open_added();
  added_ = nullptr;
  if (is_short != 0) throw system_error(problem->problem);
  throw argument_error(problem->text(std::string(subject), std::string(owner)));
}

void rpc_engine::open_added() {
  remote_object* const object = std::exchange(added_, nullptr);
  if (object == nullptr) return;
  object->opened();
  if (object->is_polled()) activate(*object);
  if (object->bypasses_engine()) bypassing_.push_back(object);
}

remote_object& rpc_engine::make(const agreement& on, std::string_view subject,
                                std::string_view owner, const factory& make,
                                std::span<std::uint64_t> maxima) {
  agree(on, subject, owner, maxima);
  remote_object* object = nullptr;
  try {
    object = &add(make);
  } catch (const system_error&) {
    // `open` tells all PEs. (An argument_error comes out of `make` on all PEs.)
  }
  try {
    open({}, subject, owner);
  } catch (...) {
    if (object != nullptr) drop(*object);
    throw;
  }
  return *object;
}

void rpc_engine::drop(remote_object& object) noexcept {
  object.dropped();
  object.dropped_as = ++drops_;
  ++dropped_;
}

// The cost grows with the number of objects only if there may be garbage.
void rpc_engine::collect_garbage(std::uint64_t last_drop, std::uint64_t dropped_by_each) {
  constexpr std::size_t bits = 64;
  if (dropped_by_each <= dropped_in_vain_) return;
  std::vector<std::uint64_t> kept((objects_.size() + bits - 1) / bits);
  std::size_t i = 0;
  for (const auto& [number, object] : objects_) {
    const bool is_kept = object->dropped_as == 0 || object->dropped_as > last_drop;
    kept[i / bits] |= std::uint64_t{is_kept} << i % bits;
    ++i;
  }
  world_.all_reduce(std::as_writable_bytes(std::span(kept)),
                    {sizeof kept[0],
                     [](std::byte* into, const std::byte* next, std::size_t n) {
                       for (; n != 0; --n, into += sizeof kept[0], next += sizeof kept[0]) {
                         std::uint64_t a = 0;
                         std::uint64_t b = 0;
                         std::memcpy(&a, into, sizeof a);
                         std::memcpy(&b, next, sizeof b);
                         a |= b;
                         std::memcpy(into, &a, sizeof a);
                       }
                     }},
                    {});
  std::vector<int> unused;
  {
    i = 0;
    const lock l = acquire_lock();
    found_ = {};
    for (const auto& [number, object] : objects_) {
      object->is_garbage = (kept[i / bits] >> i % bits & 1) == 0;
      ++i;
    }
    // No PE adds garbage to the ready list any more.
    take_ready();
    std::erase_if(active_, [](const remote_object* r) { return r->is_garbage; });
    std::erase_if(bypassing_, [](const remote_object* r) { return r->is_garbage; });
    const std::size_t gone =
        std::erase_if(objects_, [](const auto& one) { return one.second->is_garbage; });
    dropped_ -= gone;
    dropped_in_vain_ = gone == 0 ? dropped_by_each : 0;
    unused = room_kept_at_;
  }
  // Messages of the destroyed objects are sent no more, but the room reserved for the messages
  // blocks other messages: empty requests use the room up.
  for (const int pe : unused) send(pe, request{}, {});
}

}  // namespace boxcar::detail

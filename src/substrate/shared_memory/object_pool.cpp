#include "substrate/shared_memory/object_pool.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "basis/sanitizers.hpp"
#include "substrate/memory_errors.hpp"
#include "substrate/shared_memory/unsealed_memory.hpp"

namespace boxcar::detail {
namespace {

constexpr std::size_t first_chunk_bytes = std::size_t{16} << 10;
constexpr std::size_t max_chunk_bytes = std::size_t{4} << 20;
constexpr std::size_t nowhere = ~std::size_t{0};
// Limits the objects passed by a search for room: in a large chunk a longer search takes longer
// than a new chunk.
constexpr int max_passed = 256;

// In front of an object.
struct alignas(64) object_head {
  std::atomic<std::uint32_t> dropped;  // by how many PEs
};

object_head& head_at(std::byte* memory, std::size_t at) {
  return *reinterpret_cast<object_head*>(memory + at);
}

}  // namespace

#ifdef BOXCAR_WITH_ADDRESS_SANITIZER
const std::size_t object_pool::max_bytes = 0;
#else
const std::size_t object_pool::max_bytes = std::size_t{64} << 10;
#endif

// The memory of an object. The chunk lives as long as its objects, and as the pool uses it.
class object_pool::pooled_memory final : public shared_memory {
 public:
  pooled_memory(std::shared_ptr<shared_memory> chunk, std::size_t at, std::size_t bytes)
      : chunk_(std::move(chunk)), at_(at), bytes_(bytes) {}
  pooled_memory(const pooled_memory&) = delete;
  pooled_memory& operator=(const pooled_memory&) = delete;
  ~pooled_memory() override {
    // Pairs with the load in `is_dropped`: accesses of the PE come before the next use of the room.
    head_at(chunk_->data(), at_).dropped.fetch_add(1, std::memory_order_release);
  }

  [[nodiscard]] std::byte* data() const override {
    return chunk_->data() + at_ + sizeof(object_head);
  }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  void seal() override { chunk_->seal(); }

 private:
  std::shared_ptr<shared_memory> chunk_;
  std::size_t at_;
  std::size_t bytes_;
};

object_pool::object_pool(memory_source& memory)
    : memory_(memory), next_chunk_bytes_(first_chunk_bytes) {}

bool object_pool::is_dropped(const objects_by_place::value_type& o) const {
  const auto& dropped = head_at(chunk_->data(), o.first).dropped;
  return dropped.load(std::memory_order_acquire) == o.second.users;
}

std::size_t object_pool::free_room(std::size_t bytes) {
  if (chunk_ == nullptr) return nowhere;
  std::size_t at = behind_newest_;
  auto next = objects_.lower_bound(at);
  bool goes_around = false;
  for (int passed = 0; passed <= max_passed;) {
    const bool is_last = next == objects_.end();
    if (at + bytes <= (is_last ? chunk_->bytes() : next->first)) return at;
    if (is_last && goes_around) return nowhere;
    if (is_last) {
      goes_around = true;
      at = 0;
      next = objects_.begin();
    } else if (is_dropped(*next)) {
      next = objects_.erase(next);
    } else {
      at = next->second.end;
      ++next;
      ++passed;
    }
  }
  return nowhere;
}

void object_pool::begin_chunk(std::size_t bytes) {
  const auto create = [this](std::size_t chunk_bytes) {
    auto created = memory_.create(chunk_bytes);
    handle_ = created->handle();
    chunk_ = make_unsealed_memory(std::move(created), chunk_bytes);
  };
  try {
    create(std::max(bytes, next_chunk_bytes_));
  } catch (const shortage&) {
    if (bytes >= next_chunk_bytes_) throw;
    create(bytes);
  }
  ++number_;
  objects_.clear();
  behind_newest_ = used_ = 0;
  next_chunk_bytes_ = std::min(2 * next_chunk_bytes_, max_chunk_bytes);
}

object_pool::place object_pool::reserve(std::size_t bytes, int users) {
  const std::size_t with_head = sizeof(object_head) + node_memory::round_up(bytes);
  std::size_t at = free_room(with_head);
  if (at == nowhere) {
    begin_chunk(with_head);
    at = 0;
  }
  const std::size_t end = at + with_head;
  if (at < used_) std::memset(chunk_->data() + at, 0, std::min(end, used_) - at);
  used_ = std::max(used_, end);
  objects_.insert({at, {end, static_cast<std::uint32_t>(users)}});
  behind_newest_ = end;
  return {handle_, number_, chunk_->bytes(), at};
}

std::unique_ptr<shared_memory> object_pool::attach(const place& where, std::size_t bytes) {
  if (where.chunk_number != number_) {
    chunk_ = memory_.attach(where.chunk, where.chunk_bytes);
    number_ = where.chunk_number;
  }
  return std::make_unique<pooled_memory>(chunk_, where.at, bytes);
}

}  // namespace boxcar::detail

#include "substrate/own_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include <boxcar/error.hpp>

#include "substrate/largest.hpp"

namespace boxcar::detail {
namespace {

constexpr std::size_t line = 64;
constexpr std::align_val_t line_alignment{line};

// Returns nullptr if the allocator has no memory, whether it returns or throws: the PE takes part
// in the collective that follows in either case.
void* grab(allocator& from, std::size_t bytes, const char* purpose) noexcept {
  try {
    return from.grab(bytes, purpose);
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

own_memory::own_memory(substrate& world, allocator* from, std::size_t bytes, const char* purpose)
    : from_(from), bytes_(bytes) {
  if (from_ == nullptr) {
    block_ = ::operator new(std::max<std::size_t>(bytes_, 1), line_alignment, std::nothrow);
    if (block_ == nullptr) {
      const std::string text = world.pe_name(world.rank()) +
                               " has no memory left: " + std::to_string(bytes_) +
                               " bytes were wanted for " + purpose;
      world.fail(text);  // the other PEs go on to where they wait for this PE
      throw system_error(text);
    }
    data_ = static_cast<std::byte*>(block_);
  } else {
    // Room to begin at a cache line, wherever the client's memory begins.
    bytes_ = largest<1>(world, {bytes_ + line})[0];
    const auto give_back = [from](void* block) { from->free(block); };
    std::unique_ptr<void, decltype(give_back)> block(grab(*from_, bytes_, purpose), give_back);
    // The highest rank among the PEs that got no memory, plus one.
    const auto rank = static_cast<std::uint64_t>(world.rank());
    const std::uint64_t failed = largest<1>(world, {block == nullptr ? rank + 1 : 0})[0];
    if (failed != 0) {
      throw system_error("the allocator of PE " + std::to_string(failed - 1) +
                         " has no memory left: it was asked for " + std::to_string(bytes_) +
                         " bytes for " + purpose);
    }
    block_ = block.release();
    const auto address = reinterpret_cast<std::uintptr_t>(block_);
    data_ = static_cast<std::byte*>(block_) + (line - address % line) % line;
    bytes_ -= line;
  }
}

own_memory::own_memory(std::size_t bytes)
    : block_(::operator new(std::max<std::size_t>(bytes, 1), line_alignment)),
      data_(static_cast<std::byte*>(block_)),
      bytes_(bytes) {}

own_memory::~own_memory() {
  if (block_ == nullptr) return;
  if (from_ != nullptr) {
    from_->free(block_);
  } else {
    ::operator delete(block_, line_alignment);
  }
}

}  // namespace boxcar::detail

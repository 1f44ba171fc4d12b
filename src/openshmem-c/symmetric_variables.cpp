#include "openshmem-c/symmetric_variables.hpp"

#include <array>
#include <cstdint>

#include "openshmem-c/program_segment.hpp"
#include "substrate/largest.hpp"
#include "substrate/progress_context.hpp"

namespace boxcar::openshmem_c {
namespace {

// Blocks of node memory begin anywhere; the pages of a segment begin on a page. Mappings begin on
// pages, too: every PE finds the same pages of a block.
std::byte* first_page(std::byte* block) {
  const std::uintptr_t page = page_bytes();
  return reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(block) + page - 1) / page *
                                      page);
}

// Returns whether all PEs run programs with equally many bytes of variables.
bool is_alike(detail::substrate& world, std::size_t bytes) {
  const auto sizes = detail::largest<2>(world, {bytes, ~std::uint64_t{bytes}});
  return sizes[0] == ~sizes[1] && bytes != 0;
}

}  // namespace

symmetric_variables::symmetric_variables(const world& w)
    : world_(*w.substrate()), segment_(program_segment()) {
  if (world_.is_one_process() && world_.size() > 1) {
    why_not_ =
        "the PEs are threads of one process, which has each variable once: take memory from "
        "shmem_malloc, or start the program with PEs that are processes (`boxcar run` without "
        "--threads)";
  } else if (!is_alike(world_, segment_.size())) {
    why_not_ = "the PEs run different programs: take memory from shmem_malloc";
  } else if (world_.size() > 1 && !share()) {
    why_not_ =
        "the system cannot move variables into shared memory (mremap): take memory from "
        "shmem_malloc";
  }
  if (!why_not_.empty()) return;
  constexpr detail::window_element single_bytes{1, 1, detail::identity_of<std::byte>};
  detail::object_memory mine{segment_.data(), segment_.size(), true, {}};
  mine.counterpart = [this](int pe) { return counterpart(0, pe); };
  window_.emplace(w, single_bytes, mine);
}

bool symmetric_variables::share() {
  pages_ = world_.share_memory(segment_.size() + page_bytes(), false);
  bool is_moved = false;
  {
    // The progress thread may write Boxcar's own variables, which are variables of the program.
    detail::progress_context::lock lock;
    if (auto* const thread = world_.thread_context()) lock = thread->acquire_lock();
    const int place = world_.layout().local_rank(world_.rank());
    is_moved = move_segment(segment_, first_page(pages_->block(place)));
  }
  if (is_moved) separate_forked_children(segment_);
  // All PEs have written their places in the block table when the reduction returns.
  return detail::largest<1>(world_, {is_moved ? 0U : 1U})[0] == 0;
}

bool symmetric_variables::has(const void* address) const {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(segment_.data());
  return offset < segment_.size();
}

std::optional<std::size_t> symmetric_variables::offset_of(const void* address,
                                                          std::size_t bytes) const {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(segment_.data());
  if (!window_ || offset >= segment_.size() || bytes > segment_.size() - offset) {
    return std::nullopt;
  }
  return offset;
}

std::byte* symmetric_variables::counterpart(std::size_t offset, int pe) const {
  if (pe == world_.rank()) return segment_.data() + offset;
  if (pages_ == nullptr || !world_.is_local(pe)) return nullptr;
  return first_page(pages_->block(world_.layout().local_rank(pe))) + offset;
}

}  // namespace boxcar::openshmem_c

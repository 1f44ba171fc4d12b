#include "substrate/shmem/symmetric_region.hpp"

#include <shmem.h>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/largest.hpp"
#include "substrate/shmem/runtime.hpp"

namespace boxcar::detail::shmem {
namespace {

class symmetric_region final : public rma_region {
 public:
  symmetric_region(const substrate& world, const rank_list& members,
                   std::shared_ptr<symmetric_memory> heap, const symmetric_place& place)
      : world_(world),
        members_(members),
        heap_(std::move(heap)),
        place_(place),
        mine_(heap_->address(place_)) {}
  symmetric_region(const symmetric_region&) = delete;
  symmetric_region& operator=(const symmetric_region&) = delete;
  ~symmetric_region() override { heap_->give_back(place_); }

  [[nodiscard]] std::byte* mine() const override { return mine_; }
  [[nodiscard]] std::byte* of_node(int pe) const override { return world_.counterpart(mine_, pe); }

  void put(int pe, std::size_t at, std::span<const std::byte> data) override {
    require_running();
    if (data.empty()) return;
    shmem_putmem(mine_ + at, data.data(), data.size(), members_[pe]);
    is_putting_ = true;
  }

  void get(int pe, std::size_t at, std::span<std::byte> into, bool waits) override {
    require_running();
    if (into.empty()) return;
    if (is_putting_) complete();
    if (waits) return shmem_getmem(into.data(), mine_ + at, into.size(), members_[pe]);
    shmem_getmem_nbi(into.data(), mine_ + at, into.size(), members_[pe]);
    is_getting_ = true;
  }

  void fence() override {
    if (is_putting_) shmem_fence();
  }

  void complete() override {
    if (!is_putting_ && !is_getting_) return;
    require_running();
    shmem_quiet();
    is_putting_ = is_getting_ = false;
  }

 private:
  const substrate& world_;
  rank_list members_;
  std::shared_ptr<symmetric_memory> heap_;
  symmetric_place place_;
  std::byte* mine_;
  bool is_putting_ = false;  // since the last completion
  bool is_getting_ = false;
};

}  // namespace

std::unique_ptr<rma_region> make_rma_region(substrate& world, const rank_list& members,
                                            std::shared_ptr<symmetric_memory> heap,
                                            std::size_t bytes) {
  std::unique_ptr<rma_region> made;
  try {
    const symmetric_place place = heap->take_alike(world, bytes);
    made = std::make_unique<symmetric_region>(world, members, std::move(heap), place);
  } catch (const system_error&) {
    return nullptr;
  }
  const node_layout& nodes = world.layout();
  const int node = world.node_of(world.rank());
  bool is_seen = true;
  for (int i = 0; i < nodes.local_size(node); ++i) {
    const int pe = nodes.pe_at(node, i);
    is_seen = is_seen && (pe == world.rank() || made->of_node(pe) != nullptr);
  }
  return largest<1>(world, {is_seen ? 0u : 1u})[0] == 0 ? std::move(made) : nullptr;
}

}  // namespace boxcar::detail::shmem

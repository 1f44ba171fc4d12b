#include "substrate/ofi/registered_region.hpp"

#include <cstring>
#include <utility>

#include <boxcar/detail/pe_table.hpp>
#include <boxcar/error.hpp>

#include "substrate/environment.hpp"
#include "substrate/largest.hpp"
#include "substrate/liveness/absence.hpp"
#include "substrate/ofi/transfers.hpp"

namespace boxcar::detail::ofi {
namespace {

// Some providers implement puts and gets by messages: the other PE must poll for the messages, and
// does not see the need. There, data that fit into a request or two arrive sooner by requests.
constexpr std::size_t min_bytes_without_adapter = 8192;

class registered_region final : public rma_region {
 public:
  registered_region(substrate& world, const rank_list& members, std::shared_ptr<endpoint> at,
                    std::shared_ptr<counted_puts> counted, std::unique_ptr<node_memory> memory,
                    std::size_t bytes)
      : world_(world),
        layout_(world.layout()),
        members_(members),
        at_(std::move(at)),
        counted_(std::move(counted)),
        memory_(std::move(memory)),
        mine_(memory_->block(layout_.local_rank(world.rank()))),
        rkeys_(world.size()),
        registered_(*at_, mine_, bytes, registered::use::by_others),
        rkey_(registered_.place()),
        min_bytes_(ofi_rma_bytes_from_environment().value_or(
            at_->has_adapter() ? 0 : min_bytes_without_adapter)),
        transfers_(*at_, *counted_, [this] { wait(); }) {}
  registered_region(const registered_region&) = delete;
  registered_region& operator=(const registered_region&) = delete;
  ~registered_region() override {
    const auto lock = at_->acquire_lock();
    registered_ = {};
  }

  [[nodiscard]] std::byte* mine() const override { return mine_; }
  [[nodiscard]] std::byte* of_node(int pe) const override {
    return memory_->block(layout_.local_rank(pe));
  }

  [[nodiscard]] std::size_t min_bytes() const override { return min_bytes_; }
  [[nodiscard]] std::span<const std::byte> rkey() const override {
    return std::as_bytes(std::span(&rkey_, 1));
  }
  // (A progress thread may call `set_rkey`.)
  [[nodiscard]] bool has_rkey(int pe) override {
    const auto lock = at_->acquire_lock();
    return rkey_of(pe).is_known;
  }
  void set_rkey(int pe, std::span<const std::byte> rkey) override {
    const auto lock = at_->acquire_lock();
    known_rkey& known = rkey_of(pe);
    std::memcpy(&known.memory, rkey.data(), sizeof known.memory);
    known.is_known = true;
  }

  void put(int pe, std::size_t at, std::span<const std::byte> data) override {
    unless_failed([&] { transfers_.put(members_[pe], memory_of(pe), at, data); });
  }
  void put_counted(int pe, std::size_t at, std::span<const std::byte> data,
                   std::uint64_t number) override {
    unless_failed([&] { transfers_.put_counted(members_[pe], memory_of(pe), at, data, number); });
  }
  void get(int pe, std::size_t at, std::span<std::byte> into, bool waits) override {
    unless_failed([&] {
      transfers_.get(members_[pe], memory_of(pe), at, into);
      if (waits) transfers_.finish_gets();
    });
  }
  void fence() override {
    unless_failed([&] { transfers_.fence(); });
  }
  void order_puts() override {
    unless_failed([&] { transfers_.order_puts(); });
  }
  void complete() override {
    unless_failed([&] { transfers_.complete(); });
  }

 private:
  struct known_rkey {
    remote_memory memory;
    bool is_known = false;
  };

  [[nodiscard]] known_rkey& rkey_of(int pe) { return rkeys_[static_cast<std::uint32_t>(pe)]; }

  [[nodiscard]] remote_memory memory_of(int pe) {
    const auto lock = at_->acquire_lock();
    return rkey_of(pe).memory;
  }

  // A PE drops its memory when failing, and transfers to the PE fail: the failure notice explains
  // the error.
  template <typename Action>
  void unless_failed(const Action& action) {
    try {
      action();
    } catch (const system_error&) {
      await_failure_notice(world_);
      throw;
    }
    if (std::exchange(waits_, 0) != 0) world_.busy();
  }

  void wait() {
    constexpr int polls_alone = 16;
    {
      const auto lock = at_->acquire_lock();
      at_->poll_now();
    }
    if (++waits_ <= polls_alone && world_.has_core()) return;
    // The other PE's provider answers when the other PE waits for anything.
    world_.idle({.on = needs::any, .acts_by_itself = true, .for_others = true});
  }

  substrate& world_;
  const node_layout& layout_;
  rank_list members_;
  std::shared_ptr<endpoint> at_;
  std::shared_ptr<counted_puts> counted_;
  std::unique_ptr<node_memory> memory_;
  std::byte* mine_;
  pe_table<known_rkey> rkeys_;
  registered registered_;
  remote_memory rkey_;
  std::size_t min_bytes_;
  transfers transfers_;
  int waits_ = 0;
};

}  // namespace

std::unique_ptr<rma_region> make_rma_region(substrate& world, const rank_list& members,
                                            std::shared_ptr<endpoint> at,
                                            std::shared_ptr<counted_puts> counted,
                                            std::size_t bytes) {
  std::unique_ptr<rma_region> made;
  if (!at->reaches_memory() || bytes == 0) return nullptr;  // the same on all PEs
  try {
    auto memory = world.share_memory(bytes, false);
    const std::shared_ptr<endpoint> used = at;
    const auto lock = used->acquire_lock();
    made = std::make_unique<registered_region>(world, members, std::move(at), std::move(counted),
                                               std::move(memory), bytes);
  } catch (const system_error&) {
    // There is too little memory, or too little memory can be registered.
  }
  return largest<1>(world, {made == nullptr ? 1u : 0u})[0] == 0 ? std::move(made) : nullptr;
}

}  // namespace boxcar::detail::ofi

#include "scale/pretended_world.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "model/buffer_size.hpp"
#include "porter/link_block.hpp"
#include "substrate/buffer_room.hpp"
#include "substrate/mailbox.hpp"

namespace boxcar::test {
namespace {

using detail::arrival;
using detail::arrival_queue;
using detail::link_block;
using detail::link_plan;

// Memory that does not belong to what is looked at, and so is not counted.
class uncounted {
 public:
  explicit uncounted(std::size_t bytes) : memory_(std::calloc(bytes + line, 1), &std::free) {}
  [[nodiscard]] std::byte* get() const {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    return reinterpret_cast<std::byte*>((address + line - 1) / line * line);
  }

 private:
  static constexpr std::size_t line = 64;
  std::unique_ptr<void, decltype(&std::free)> memory_;
};

detail::node_layout equal_nodes(int pes, int pes_per_node) {
  detail::node_layout::builder all;
  for (int first = 0; first < pes; first += pes_per_node) {
    all.add(static_cast<std::uint64_t>(first), std::min(pes_per_node, pes - first));
  }
  return std::move(all).build();
}

// What a stream's waves send (src/stream/termination_detector.hpp): four sums, a result, whether it
// is leaving.
struct wave_message {
  std::array<std::uint64_t, 4> sums{};
  std::uint64_t verdict = 1;  // over
  std::uint64_t leaving = 0;
};

// What is sent to others is gone. Whoever waits for a reply gets one that says nothing.
class silent_mailbox final : public detail::mailbox {
 public:
  bool send(int, std::span<const std::byte>, std::span<const std::byte>, int place) override {
    if (place != detail::no_reply) awaited_ |= 1U << place;
    return true;
  }
  [[nodiscard]] bool try_reserve(int) override { return true; }
  [[nodiscard]] bool can_reply() override { return true; }
  void reply(int, int, std::span<const std::byte>) override {}
  bool poll(detail::mail_reader& reader) override {
    for (int place = 0; place < detail::reply_places; ++place) {
      if ((awaited_ >> place & 1) != 0) reader.take_reply(detail::unknown_sender, place, {});
    }
    return std::exchange(awaited_, 0) != 0;
  }

 private:
  std::uint32_t awaited_ = 0;
};

}  // namespace

// Whatever is sent here vanishes; but to a report of a wave the parent in the tree answers that the
// session is over, and to word that this PE leaves that all do.
class pretended_world::silent_links final : public detail::link_set {
 public:
  silent_links(pretended_world& world, const link_plan& plan)
      : world_(world),
        receivers_(plan.outgoing),
        senders_(plan.incoming),
        for_waves_(plan.buffer_bytes == detail::buffer_room(sizeof(wave_message))),
        buffer_(plan.buffer_bytes) {
    world_.links_.insert(this);
  }
  silent_links(const silent_links&) = delete;
  silent_links& operator=(const silent_links&) = delete;
  ~silent_links() override { world_.links_.erase(this); }

  void answer() { answered_ = true; }

  std::byte* open(int) override { return buffer_.get(); }
  void send(int link, std::size_t, bool) override {
    if (!for_waves_ || receivers_[static_cast<std::size_t>(link)] > world_.rank_) return;
    const auto& sent = *reinterpret_cast<const wave_message*>(buffer_.get());
    verdict_ = sent.leaving != 0 ? &all_leave_ : &is_over_;
  }
  bool poll_returned(int) override { return true; }
  void poll(arrival_queue& arrived) override {
    const bool answered = std::exchange(answered_, false);
    wave_message* const verdict = std::exchange(verdict_, nullptr);
    for (std::size_t i = 0; i < senders_.size(); ++i) {
      const auto say = [&](wave_message& m) {
        arrived.push({reinterpret_cast<std::byte*>(&m), sizeof m, static_cast<std::uint32_t>(i),
                      senders_[i], 0, false});
      };
      const bool is_parent = for_waves_ && senders_[i] < world_.rank_;
      if (is_parent && verdict != nullptr) say(*verdict);
      if (!answered || is_parent) continue;
      if (for_waves_) {
        say(is_over_);
        say(all_leave_);
      } else {
        arrived.push({buffer_.get(), 0, static_cast<std::uint32_t>(i), senders_[i], 0, true});
      }
    }
  }
  void give_back(const arrival&) override {}
  void start_session() override { answered_ = false; }
  [[nodiscard]] std::size_t memory_bytes() const override { return 0; }

 private:
  pretended_world& world_;
  std::vector<int> receivers_;
  std::vector<int> senders_;
  bool for_waves_;
  uncounted buffer_;
  bool answered_ = false;
  wave_message is_over_;
  wave_message all_leave_{.leaving = 1};
  wave_message* verdict_ = nullptr;  // of the parent, on its way
};

// With a block for each PE of the node, of which only this PE's is counted. In those of the others
// it has the only link.
class pretended_world::memory_of_node final : public detail::shared_memory {
 public:
  memory_of_node(pretended_world& world, std::size_t block_bytes)
      : world_(world),
        local_size_(world.layout_.local_size(world.node_of(world.rank_))),
        local_rank_(world.layout_.local_rank(world.rank_)),
        front_(detail::node_memory::front(local_size_)),
        block_bytes_(detail::node_memory::round_up(std::max<std::size_t>(block_bytes, least))),
        memory_(front_ + static_cast<std::size_t>(local_size_) * block_bytes_) {
    auto* places = reinterpret_cast<std::uint64_t*>(memory_.get());
    for (int local = 0; local < local_size_; ++local) {
      places[local] = front_ + static_cast<std::size_t>(local) * block_bytes_;
      if (local == local_rank_) continue;
      std::byte* const block = memory_.get() + places[local];
      const std::uint64_t links = 1;
      const int sender = world.rank_;
      std::memcpy(block, &links, sizeof links);
      std::memcpy(block + link_block{1, 1, 1}.senders_at(), &sender, sizeof sender);
    }
    world_.memories_.insert(this);
  }
  memory_of_node(const memory_of_node&) = delete;
  memory_of_node& operator=(const memory_of_node&) = delete;
  ~memory_of_node() override { world_.memories_.erase(this); }

  [[nodiscard]] std::byte* data() const override { return memory_.get(); }
  [[nodiscard]] std::size_t bytes() const override { return 0; }
  [[nodiscard]] std::size_t block_at() const {
    return front_ + static_cast<std::size_t>(local_rank_) * block_bytes_;
  }

  // On every link to this PE but its own the next buffer has come, and is the last.
  void answer() {
    constexpr std::size_t depth = 2;
    std::byte* const block = memory_.get() + block_at();
    std::uint64_t links;
    std::memcpy(&links, block, sizeof links);
    const link_block mine{links, depth, 0};
    const auto* senders = reinterpret_cast<const int*>(block + mine.senders_at());
    auto* signals = reinterpret_cast<std::uint64_t*>(block + mine.signals_at());
    for (std::size_t i = 0; i < links; ++i) {
      if (senders[i] != world_.rank_)
        signals[i * depth + answers_ % depth] = detail::signal_of(0, true);
    }
    ++answers_;
  }

 private:
  static constexpr std::size_t least = 4096;  // has room for a link

  pretended_world& world_;
  int local_size_;
  int local_rank_;
  std::size_t front_;
  std::size_t block_bytes_;
  uncounted memory_;
  std::size_t answers_ = 0;
};

pretended_world::pretended_world(int pes, int pes_per_node, int rank)
    : layout_(equal_nodes(pes, pes_per_node)), rank_(rank) {
  identify(1, pes);
}

int pretended_world::pes_on_machine() const {
  constexpr std::size_t for_each_pe = std::size_t{1} << 29;
  return static_cast<int>(std::max<std::size_t>(detail::machine_bytes_here() / for_each_pe, 1));
}

void pretended_world::answer() {
  for (silent_links* set : links_) set->answer();
  for (memory_of_node* memory : memories_) memory->answer();
}

void pretended_world::all_gather(std::span<const std::byte> mine, std::byte* all,
                                 const detail::type_identity&) {
  gathered_bytes_ += mine.size() * static_cast<std::size_t>(size());
  for (int pe = 0; pe < size(); ++pe, all += mine.size()) std::ranges::copy(mine, all);
}

void pretended_world::gather(std::span<const std::byte> mine, int root, const gathering_room& room,
                             const detail::type_identity&) {
  if (root != rank_ && root != detail::every_pe) return;
  gathered_bytes_ += mine.size() * static_cast<std::size_t>(size());
  for (int pe = 0; pe < size(); ++pe) std::ranges::copy(mine, room(pe, mine.size()));
}

// As combining is associative, equals are combined two by two.
void pretended_world::combine_equals(int pes, std::span<std::byte> value,
                                     const detail::combination& how) const {
  const std::size_t elements = value.size() / how.element_bytes;
  const uncounted equal(value.size());
  const uncounted result(value.size());
  std::ranges::copy(value, equal.get());
  bool none = true;
  for (int left = pes; left > 0; left /= 2) {
    if (left % 2 != 0) {
      if (!std::exchange(none, false)) {
        how.combine(result.get(), equal.get(), elements);
      } else {
        std::memcpy(result.get(), equal.get(), value.size());
      }
    }
    const uncounted other(value.size());
    std::memcpy(other.get(), equal.get(), value.size());
    how.combine(equal.get(), other.get(), elements);
  }
  std::copy_n(result.get(), value.size(), value.begin());
}

void pretended_world::all_reduce(std::span<std::byte> values, const detail::combination& how,
                                 const detail::type_identity&) {
  combine_equals(size(), values, how);
}

bool pretended_world::scan(std::span<std::byte> values, const detail::combination& how,
                           const detail::type_identity&) {
  if (rank_ != 0) combine_equals(rank_, values, how);
  return rank_ != 0;
}

std::unique_ptr<detail::node_memory> pretended_world::share_memory(std::size_t bytes, bool) {
  auto memory = std::make_unique<memory_of_node>(*this, bytes);
  const std::size_t block_at = memory->block_at();
  const int local_rank = layout_.local_rank(rank_);
  return std::make_unique<detail::node_memory>(std::move(memory), local_rank, block_at);
}

std::shared_ptr<detail::mailbox> pretended_world::make_mailbox() {
  return std::make_shared<silent_mailbox>();
}

std::unique_ptr<detail::link_set> pretended_world::make_remote_links(const link_plan& plan) {
  return std::make_unique<silent_links>(*this, plan);
}

}  // namespace boxcar::test

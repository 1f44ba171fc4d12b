#include "substrate/ofi/ofi_network.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <list>
#include <mutex>
#include <new>
#include <optional>
#include <sched.h>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/cluster/draining_networks.hpp"
#include "substrate/cluster/node_watch.hpp"
#include "substrate/cluster/tag_pool.hpp"
#include "substrate/cluster/tree.hpp"
#include "substrate/environment.hpp"
#include "substrate/failure_text.hpp"
#include "substrate/liveness/abort_grace.hpp"
#include "substrate/liveness/absence.hpp"
#include "substrate/ofi/answers.hpp"
#include "substrate/ofi/bulk.hpp"
#include "substrate/ofi/counted_puts.hpp"
#include "substrate/ofi/deferred_items.hpp"
#include "substrate/ofi/deferring_endpoint.hpp"
#include "substrate/ofi/endpoint.hpp"
#include "substrate/ofi/links.hpp"
#include "substrate/ofi/mailbox.hpp"
#include "substrate/ofi/message_buffers.hpp"
#include "substrate/ofi/registered_region.hpp"
#include "substrate/ofi/runtime.hpp"

namespace boxcar::detail::ofi {
namespace {

// During startup a PE counts as unreachable after at least least_patience_at_start without a
// message, unless stall detection is off.
constexpr auto least_patience_at_start = std::chrono::seconds(30);

// A single message, sent or received, for which the PE waits.
class single_message final : public operation_owner {
 public:
  single_message(endpoint& at, std::size_t bytes)
      : at_(at),
        bytes_(bytes),
        message_(at, *this, 1, bytes + seal_bytes, own_memory(bytes + seal_bytes)) {}
  single_message(const single_message&) = delete;
  single_message& operator=(const single_message&) = delete;
  ~single_message() = default;

  void send(int to, std::span<const std::byte> data, channel c) {
    std::ranges::copy(data, message_.buffer(0));
    message_.send(0, to, bytes_, tag_of(c, at_.rank()));
  }
  void receive(int from, channel c) {
    tag_ = tag_of(c, from);
    post();
  }
  [[nodiscard]] bool has_ended() {
    if (!problem_.empty()) throw system_error(problem_);
    if (std::exchange(is_refused_, false)) post();
    return has_ended_;
  }
  // Returns whether the operation has ended, well or not.
  [[nodiscard]] bool is_over() const { return has_ended_ || !problem_.empty(); }
  [[nodiscard]] std::span<std::byte> data_of() const { return {message_.buffer(0), bytes_}; }

  void received(operation& op, std::size_t bytes, std::uint64_t tag) override {
    if (bytes != bytes_) {
      return failed(op, "PE " + std::to_string(rank_in(tag)) + " has sent " +
                            std::to_string(bytes) + " bytes where this one expects " +
                            std::to_string(bytes_));
    }
    has_ended_ = true;
  }
  void refused(operation& /*op*/) override { is_refused_ = true; }
  void sent(operation& /*op*/) override { has_ended_ = true; }
  void failed(operation& op, const std::string& reason) override {
    problem_ = std::string(op.is_receive ? "receiving" : "sending") +
               " a message, while the world was made, by " + at_.provider() + " failed: " + reason;
  }

 private:
  void post() {
    while (!message_.receive(0, tag_, 0)) at_.poll_now();
  }

  endpoint& at_;
  std::size_t bytes_;
  message_buffers message_;
  std::uint64_t tag_ = 0;  // of the received message
  bool is_refused_ = false;
  bool has_ended_ = false;
  std::string problem_;
};

// A failure notice from PE to PE.
using notice = std::array<char, failure_text_bytes>;
using messages = std::vector<std::unique_ptr<single_message>>;

bool are_over(const messages& all) {
  return std::ranges::all_of(all, [](const auto& one) { return one->is_over(); });
}

// Pending failure notices: sending may need a connection first, and connecting takes many calls of
// the library. The failed worlds are gone for the sending PE, but other PEs wait in these worlds:
// so pending notices make progress wherever the PE waits for anything else.
class pending_failure_notices {
 public:
  // The instance is never destroyed: the end of the process uses the instance.
  static pending_failure_notices& instance() {
    static auto* all = new pending_failure_notices;
    return *all;
  }

  void add(std::shared_ptr<endpoint> by, messages words) {
    const std::lock_guard lock(guard_);
    all_.push_back({std::move(by), std::move(words)});
    are_none_.store(false, std::memory_order_relaxed);
  }

  // Returns true if no notice is left.
  bool get_on() noexcept {
    if (are_none_.load(std::memory_order_relaxed)) return true;  // the next call reads again
    const std::lock_guard lock(guard_);
    std::erase_if(all_, [](const late& l) {
      try {
        const auto context_lock = l.by->acquire_lock();
        l.by->poll_now();
        return are_over(l.words);
      } catch (const std::exception&) {
        return true;  // an unsendable notice is lost
      }
    });
    are_none_.store(all_.empty(), std::memory_order_relaxed);
    return all_.empty();
  }

 private:
  struct late {
    std::shared_ptr<endpoint> by;
    messages words;
  };
  std::mutex guard_;     // threads may have worlds of their own
  std::list<late> all_;  // the messages of an element end before its endpoint
  std::atomic<bool> are_none_ = true;
};

class ofi_network final : public network, operation_owner {
 public:
  ofi_network(bootstrap& job, bool is_one_machine)
      : job_(job),
        is_one_machine_(is_one_machine),
        at_(std::make_shared<endpoint>(job, ofi_provider_from_environment(), is_one_machine)),
        hears_(std::make_shared<answers>(*at_)),
        items_(std::make_shared<bulk_items>(at_)),
        counted_(std::make_shared<counted_puts>(at_, hears_)),
        heard_(*at_, *this, 1, failure_text_bytes + seal_bytes,
               own_memory(failure_text_bytes + seal_bytes)) {
    static_cast<void>(at_->book_receives(1 + receives_at_start));
    listen();
  }
  ofi_network(const ofi_network&) = delete;
  ofi_network& operator=(const ofi_network&) = delete;
  ~ofi_network() override { drop_draining(); }

  [[nodiscard]] const char* name() const override { return "ofi"; }
  [[nodiscard]] int rank() const override { return job_.rank(); }
  [[nodiscard]] int size() const override { return job_.size(); }
  [[nodiscard]] bool is_running() const noexcept override { return ofi::is_running(); }
  void require_many_threads() const override { at_->expect_threads(); }

  void reduce_at_start(std::span<std::byte> value,
                       const std::function<void(std::byte*, const std::byte*)>& combine) override {
    const tree_place place = place_in_tree(rank(), size());
    messages from;
    for (const int child : place.children) {
      from.push_back(std::make_unique<single_message>(*at_, value.size()));
      from.back()->receive(child, start_channel);
    }
    // Children have ascending ranks, and so have the subtrees of the children.
    for (std::size_t i = 0; i < from.size(); ++i) {
      wait_at_start(*from[i], place.children[i]);
      if (!value.empty()) combine(value.data(), from[i]->data_of().data());
    }
    if (place.parent >= 0) {
      single_message result(*at_, value.size());
      result.receive(place.parent, start_channel);
      single_message mine(*at_, value.size());
      mine.send(place.parent, value, start_channel);
      wait_at_start(mine, place.parent);
      wait_at_start(result, place.parent);
      std::ranges::copy(result.data_of(), value.begin());
    }
    messages to;
    for (const int child : place.children) {
      to.push_back(std::make_unique<single_message>(*at_, value.size()));
      to.back()->send(child, value, start_channel);
    }
    for (std::size_t i = 0; i < to.size(); ++i) wait_at_start(*to[i], place.children[i]);
  }

  std::unique_ptr<link_set> make_links(substrate& world, const link_plan& plan,
                                       const rank_list& members) override {
    require_running();
    auto links = ofi::make_links(world, plan, members, at_, hears_, lease(world));
    // No PE sends before all PEs have posted receives.
    world.barrier();
    return links;
  }

  std::unique_ptr<rma_region> make_rma_region(substrate& world, const rank_list& members,
                                              std::size_t bytes) override {
    require_running();
    return ofi::make_rma_region(world, members, at_, counted_, bytes);
  }
  std::unique_ptr<put_counter> make_put_counter(const rank_list& members, bool of_bytes,
                                                put_listener listener) override {
    require_running();
    return counted_puts::make_counter(counted_, members, of_bytes, std::move(listener));
  }

  std::unique_ptr<deferred_work> make_deferred_work(std::string& why_not) override {
    require_running();
    why_not = why_not_deferring(at_->info());
    if (!why_not.empty()) return nullptr;
    try {
      if (defers_ == nullptr) defers_ = std::make_shared<deferring_endpoint>(at_->info());
      return make_deferred_items(defers_);
    } catch (const system_error& e) {
      why_not = e.what();
      return nullptr;
    }
  }

  std::shared_ptr<mailbox> make_mailbox(substrate& world, const rank_list& members) override {
    require_running();
    channel_lease requests = lease(world);
    channel_lease replies = lease(world);
    std::shared_ptr<mailbox> made =
        ofi::make_mailbox(world, members, at_, hears_, std::move(requests), std::move(replies));
    world.barrier();
    return made;
  }

  std::unique_ptr<bulk_offer> offer_bulk(int to, std::size_t bytes) override {
    require_running();
    return items_->make_offer(items_, to, bytes);
  }
  std::unique_ptr<bulk_delivery> fetch_bulk(int from, const bulk_ticket& ticket,
                                            const std::function<void()>& wait) override {
    require_running();
    return items_->fetch(from, ticket, wait);
  }

  void tell_failure(const std::string& message, std::span<const int> to) noexcept override {
    if (!is_running()) return;
    job_.note_failure(message);
    try {
      auto lock = at_->acquire_lock();
      notice text{};
      const std::size_t length = message.copy(text.data(), text.size() - 1);
      const auto said = std::as_bytes(std::span(text)).first(length + 1);
      messages words;
      const auto until = std::chrono::steady_clock::now() + max_failure_notice_time;
      for (const int pe : to) {
        words.push_back(std::make_unique<single_message>(*at_, said.size()));
        words.back()->send(pe, said, notice_channel);
      }
      // The PE may never call Boxcar again.
      while (!are_over(words) && std::chrono::steady_clock::now() < until) {
        at_->poll_now();
        sched_yield();
      }
      if (are_over(words)) return;
      // pending_failure_notices locks a mutex of its own first.
      if (lock.owns_lock()) lock.unlock();
      pending_failure_notices::instance().add(at_, std::move(words));
    } catch (const std::exception&) {
      // An unsendable notice is lost.
    }
  }

  bool hear_failure(std::string& message) override {
    require_running();
    pending_failure_notices::instance().get_on();
    const auto lock = at_->acquire_lock();
    at_->poll();
    hears_->poll();
    items_->poll();
    if (has_heard_) {
      has_heard_ = false;
      job_.note_failure_elsewhere();
      const auto* text = reinterpret_cast<const char*>(heard_.buffer(0));
      message.assign(text, strnlen(text, heard_bytes_));
      return true;
    }
    if (!is_listening_) listen();
    require_puts();
    try {
      job_.check_failure();
    } catch (const world_error& e) {
      if (std::exchange(launcher_has_told_, true)) return false;
      message = e.what();
      return true;
    }
    return false;
  }

 protected:
  void drive() noexcept override {
    try {
      const auto lock = at_->acquire_lock();
      at_->poll_now();
    } catch (const std::exception&) {
      // The PE gets the error at the next poll.
    }
  }

 private:
  static constexpr std::size_t receives_at_start = 32;

  std::unique_ptr<peer_watch> watch_of_node(const node_layout& nodes) override {
    std::string address = at_->host_address();
    if (address.empty() && at_->stays_on_machine()) return nullptr;
    if (address.empty() && is_one_machine_) address = "127.0.0.1";
    auto watch = std::make_unique<node_watch>(rank(), address, loss_time_from_environment());
    const int turn = job_.fence_count();
    job_.publish(watch->place());
    const int next = (nodes.node_of(rank()) + 1) % nodes.nodes();
    const int local_rank = nodes.local_rank(rank());
    const int pe = nodes.pe_at(next, local_rank % nodes.local_size(next));
    watch->watch(pe, job_.lookup(pe, turn));
    return watch;
  }
  void wait_at_start(single_message& m, int pe) const {
    const auto patience = patience_at_start();
    const auto begin = std::chrono::steady_clock::now();
    while (!m.has_ended()) {
      at_->poll_now();
      pending_failure_notices::instance().get_on();
      job_.check_failure();
      if (patience != patience.zero() && std::chrono::steady_clock::now() - begin > patience) {
        throw system_error(
            "PE " + std::to_string(rank()) + " cannot reach PE " + std::to_string(pe) + " by " +
            at_->provider() +
            ", while the world is made: see whether a firewall is between their nodes, or name "
            "another provider in BOXCAR_OFI_PROVIDER (`boxcar info` lists them), or another "
            "network, for tcp in FI_TCP_IFACE");
      }
      sched_yield();
    }
  }
  static std::chrono::nanoseconds patience_at_start() {
    try {
      const std::chrono::nanoseconds wanted = stall_time_from_environment();
      if (wanted == wanted.zero()) return wanted;
      return std::max<std::chrono::nanoseconds>(wanted, least_patience_at_start);
    } catch (const argument_error&) {
      return least_patience_at_start;  // all PEs report the invalid value later
    }
  }

  channel_lease lease(substrate& world) {
    const int tag = tags_->take(world);
    return {first_of_pool + static_cast<channel>(tag),
            [tags = tags_, tag](bool is_over) { tags->give_back(tag, is_over); }};
  }

  // A failed PE closes its memory, so puts to the PE fail. The notice of the PE's failure has been
  // sent before, but may arrive a little later: the notice has precedence.
  void require_puts() {
    if (!counted_->has_failed()) return;
    const auto now = std::chrono::steady_clock::now();
    if (!puts_failed_at_) puts_failed_at_ = now;
    if (now - *puts_failed_at_ >= max_failure_delay) counted_->require_success();
  }

  void listen() { is_listening_ = heard_.receive(0, tag_of(notice_channel, 0), any_rank); }
  void received(operation& /*op*/, std::size_t bytes, std::uint64_t /*tag*/) override {
    has_heard_ = true;
    heard_bytes_ = bytes;
    // The first notice counts. (The next notice is received when the first has been read.)
    is_listening_ = false;
  }
  void refused(operation& /*op*/) override { listen(); }
  void sent(operation& /*op*/) override {}
  void failed(operation& /*op*/, const std::string& /*reason*/) override { is_listening_ = false; }

  bootstrap& job_;
  bool is_one_machine_;
  std::shared_ptr<endpoint> at_;
  std::shared_ptr<answers> hears_;
  std::shared_ptr<bulk_items> items_;
  std::shared_ptr<counted_puts> counted_;
  std::shared_ptr<deferring_endpoint> defers_;  // once something is deferred
  std::shared_ptr<tag_pool> tags_ = std::make_shared<tag_pool>(last_of_pool);
  message_buffers heard_;  // the buffer for a failure notice
  std::size_t heard_bytes_ = 0;
  std::optional<std::chrono::steady_clock::time_point> puts_failed_at_;
  bool is_listening_ = false;
  bool has_heard_ = false;
  bool launcher_has_told_ = false;
};

}  // namespace

void finish_words() noexcept {
  const auto until = std::chrono::steady_clock::now() + max_failure_notice_time;
  while (!pending_failure_notices::instance().get_on() &&
         std::chrono::steady_clock::now() < until) {
    sched_yield();
  }
}

std::shared_ptr<network> make_network(bootstrap& job, bool is_one_machine) {
  return until_left(std::make_unique<ofi_network>(job, is_one_machine));
}

}  // namespace boxcar::detail::ofi

#include "substrate/mpi/mpi_network.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/failure_text.hpp"
#include "substrate/largest.hpp"
#include "substrate/mpi/bulk.hpp"
#include "substrate/mpi/call.hpp"
#include "substrate/mpi/links.hpp"
#include "substrate/mpi/runtime.hpp"

namespace boxcar::detail::mpi {
namespace {

class communicator {
 public:
  // Collective over `original`.
  explicit communicator(MPI_Comm original) {
    MPI_Request made = MPI_REQUEST_NULL;
    check(MPI_Comm_idup(original, &mine_, &made), "MPI_Comm_idup");
    wait(made, "MPI_Comm_idup");
    check(MPI_Comm_set_errhandler(mine_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  }
  communicator(const communicator&) = delete;
  communicator& operator=(const communicator&) = delete;
  ~communicator() {
    if (is_running() && !is_kept_) MPI_Comm_free(&mine_);
  }
  // It is not freed: receives that MPI did not end may be left on it, and MPICH would let them take
  // the messages of a later communicator.
  void keep() { is_kept_ = true; }
  [[nodiscard]] MPI_Comm get() const { return mine_; }

 private:
  MPI_Comm mine_ = MPI_COMM_NULL;
  bool is_kept_ = false;
};

// Tags tell the messages of link sets apart. Sets live and die differently on different PEs, as
// sub-worlds overlap: so the PEs of a world agree on one that none of them uses.
class tag_pool {
 public:
  explicit tag_pool(int largest) : largest_(largest) {}

  // Collective over `world`.
  int take(substrate& world) {
    for (;;) {
      const std::uint64_t next = largest<1>(world, {next_})[0];
      const std::uint64_t tag = next % (static_cast<std::uint64_t>(largest_) + 1);
      next_ = next + 1;
      // A tag comes round again only after very many sets.
      if (next == tag) return insert(tag);
      if (largest<1>(world, {used_.contains(static_cast<int>(tag))})[0] == 0) {
        return insert(tag);
      }
    }
  }
  // Unless `is_over`, MPI may yet take messages with it.
  void give_back(int tag, bool is_over) {
    if (is_over) {
      used_.erase(tag);
    } else {
      has_lost_one_ = true;
    }
  }
  [[nodiscard]] bool has_lost_one() const { return has_lost_one_; }

 private:
  int insert(std::uint64_t tag) {
    used_.insert(static_cast<int>(tag));
    return static_cast<int>(tag);
  }

  std::uint64_t next_ = 0;
  int largest_;
  std::set<int> used_;
  bool has_lost_one_ = false;
};

// Word of a failure, from PE to PE.
struct notice {
  std::uint64_t network;  // a PE that has left may never take it, but somebody else later
  char text[failure_text_bytes];
};

// Known to all PEs of the communicator, and never again the same for one of them; but threads that
// make networks of different communicators at the same time may get the same.
std::uint64_t agree_on_number(MPI_Comm c) {
  static std::atomic<std::uint64_t> made_here = 0;
  std::uint64_t number = made_here.load(std::memory_order_relaxed);
  MPI_Request agreed = MPI_REQUEST_NULL;
  check(MPI_Iallreduce(MPI_IN_PLACE, &number, 1, MPI_UINT64_T, MPI_MAX, c, &agreed),
        "MPI_Iallreduce");
  wait(agreed, "MPI_Iallreduce");
  std::uint64_t made = made_here.load(std::memory_order_relaxed);
  while (made <= number && !made_here.compare_exchange_weak(made, number + 1)) {
  }
  return number;
}

// For so long a PE that ends waits for the others.
constexpr auto longest_farewell = std::chrono::milliseconds(100);

int largest_tag(MPI_Comm c) {
  int* value = nullptr;
  int found = 0;
  check(MPI_Comm_get_attr(c, MPI_TAG_UB, static_cast<void*>(&value), &found), "MPI_Comm_get_attr");
  return found != 0 ? *value : 32767;  // what the standard grants
}

class mpi_network final : public network {
 public:
  explicit mpi_network(MPI_Comm original)
      : links_(original),
        others_(original),
        tags_(std::make_shared<tag_pool>(largest_tag(links_.get()))) {
    check(MPI_Comm_rank(links_.get(), &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(links_.get(), &size_), "MPI_Comm_size");
    largest_bulk_tag_ = largest_tag(others_.get());
    number_ = agree_on_number(links_.get());
  }
  mpi_network(const mpi_network&) = delete;
  mpi_network& operator=(const mpi_network&) = delete;
  ~mpi_network() override {
    drop_retired();
    if (tags_->has_lost_one()) links_.keep();
    if (is_running() && !give_up(std::span(&listening_, 1))) {
      static_cast<void>(heard_.release());  // MPI may yet write there
      others_.keep();
    }
  }

  [[nodiscard]] const char* name() const override { return "mpi"; }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] bool is_running() const noexcept override { return mpi::is_running(); }

  void gather_at_start(std::span<const std::byte> mine, std::byte* all) override {
    const int bytes = static_cast<int>(mine.size());
    MPI_Request gathered = MPI_REQUEST_NULL;
    if (bytes == 0) {
      // A gathering of nothing need not wait for anybody, but this one does.
      check(MPI_Ibarrier(links_.get(), &gathered), "MPI_Ibarrier");
      return wait(gathered, "MPI_Ibarrier");
    }
    check(
        MPI_Iallgather(mine.data(), bytes, MPI_BYTE, all, bytes, MPI_BYTE, links_.get(), &gathered),
        "MPI_Iallgather");
    wait(gathered, "MPI_Iallgather");
  }

  std::unique_ptr<link_set> make_links(substrate& world, const link_plan& plan,
                                       std::span<const int> members) override {
    require_running();
    const int tag = tags_->take(world);
    auto links =
        mpi::make_links(world, plan, members, links_.get(), tag,
                        [tags = tags_, tag](bool is_over) { tags->give_back(tag, is_over); });
    // Nobody sends before the receives of all are posted: else what comes early would lie in MPI.
    world.barrier();
    return links;
  }

  std::unique_ptr<bulk_offer> offer_bulk(int to, std::size_t bytes) override {
    require_running();
    // Items on the way at the same time have different tags; one is nobody else's (notices).
    const int tag = 1 + static_cast<int>(offers_++ % static_cast<std::uint64_t>(largest_bulk_tag_));
    return make_offer(others_.get(), to, tag, bytes, offers_alive_);
  }
  std::unique_ptr<bulk_delivery> fetch_bulk(int from, const bulk_ticket& ticket,
                                            const std::function<void()>& wait) override {
    require_running();
    return fetch_offer(others_.get(), from, ticket, wait);
  }

  void tell_failure(const std::string& message, std::span<const int> to) noexcept override {
    if (!is_running()) return;
    // Freed by nobody: a PE that listens no more may leave it in MPI.
    auto* text = new (std::nothrow) notice{number_, {}};
    if (text == nullptr) return;
    message.copy(text->text, sizeof text->text - 1);
    std::vector<MPI_Request> requests(to.size(), MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < to.size(); ++i) {
      MPI_Isend(text, sizeof *text, MPI_BYTE, to[i], notice_tag, others_.get(), &requests[i]);
    }
    // This PE may call MPI no more, and without calls some MPIs send nothing.
    static_cast<void>(end_soon(requests));
  }

  [[nodiscard]] std::string refusal_under_way() const override { return mpi::refusal_under_way(); }

  bool hear_failure(std::string& message) override {
    require_running();
    if (listening_ == MPI_REQUEST_NULL) listen();
    int flag = 0;
    check(MPI_Test(&listening_, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    if (flag == 0 || heard_->network != number_) return false;
    message.assign(heard_->text, strnlen(heard_->text, sizeof heard_->text));
    return true;
  }

 private:
  static constexpr int notice_tag = 0;

  void listen() {
    check(MPI_Irecv(heard_.get(), sizeof(notice), MPI_BYTE, MPI_ANY_SOURCE, notice_tag,
                    others_.get(), &listening_),
          "MPI_Irecv");
  }

  communicator links_;   // messages of link sets
  communicator others_;  // notices and items too large for buffers
  std::shared_ptr<tag_pool> tags_;
  int rank_ = 0;
  int size_ = 0;
  int largest_bulk_tag_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t offers_ = 0;
  std::shared_ptr<std::size_t> offers_alive_ = std::make_shared<std::size_t>(0);
  MPI_Request listening_ = MPI_REQUEST_NULL;
  std::unique_ptr<notice> heard_ = std::make_unique<notice>();
};

// Networks that this PE has left. They stay until no other PE has anything to say on them: what
// nobody takes would be found by whoever gets a communicator with the same number. When PEs have
// failed it is never known, and they stay for ever.
class left_networks {
 public:
  // Never destroyed: MPI may end later than the program's static objects.
  static left_networks& instance() {
    static auto* all = new left_networks;
    return *all;
  }

  void add(std::unique_ptr<network> net) {
    const std::lock_guard lock(guard_);
    nets_.push_back(std::move(net));
    drop_silent_ones();
  }
  // True if none is left.
  bool drop_silent() {
    const std::lock_guard lock(guard_);
    drop_silent_ones();
    return nets_.empty();
  }
  // MPI ends: all PEs are about to leave, and only a little late.
  static void wait_for_others() {
    const auto until = std::chrono::steady_clock::now() + longest_farewell;
    while (!instance().drop_silent() && std::chrono::steady_clock::now() < until) {
      std::this_thread::yield();
    }
  }

 private:
  void drop_silent_ones() {
    std::erase_if(nets_, [](const auto& net) { return net->everybody_left(); });
  }

  std::mutex guard_;  // threads may have worlds of their own
  std::vector<std::unique_ptr<network>> nets_;
};

void check_usable(MPI_Comm original) {
  if (original == MPI_COMM_NULL) {
    throw argument_error(
        "the communicator is MPI_COMM_NULL: this process is not a member of it and cannot make a "
        "world from it");
  }
  int inter = 0;
  check(MPI_Comm_test_inter(original, &inter), "MPI_Comm_test_inter");
  if (inter != 0) {
    throw argument_error(
        "the communicator is an intercommunicator, whose processes are no ordered set: merge its "
        "two groups by MPI_Intercomm_merge and give the result");
  }
}

}  // namespace

std::shared_ptr<network> make_network(MPI_Comm original) {
  require_running();
  require_thread_level();
  check_usable(original);
  before_end(left_networks::wait_for_others);
  left_networks::instance().drop_silent();
  return {new mpi_network(original),
          [](network* net) { left_networks::instance().add(std::unique_ptr<network>(net)); }};
}

}  // namespace boxcar::detail::mpi

#include "substrate/mpi/mpi_network.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/cluster/draining_networks.hpp"
#include "substrate/cluster/tag_pool.hpp"
#include "substrate/failure_text.hpp"
#include "substrate/mpi/bulk.hpp"
#include "substrate/mpi/call.hpp"
#include "substrate/mpi/finalize_hook.hpp"
#include "substrate/mpi/links.hpp"
#include "substrate/mpi/mailbox.hpp"
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
    if (is_running() && !is_kept_ && !has_unread()) MPI_Comm_free(&mine_);
  }
  // The communicator is not freed: MPI may have left receives on it, and MPICH would let the
  // receives take the messages of a later communicator.
  void keep() { is_kept_ = true; }
  [[nodiscard]] MPI_Comm get() const { return mine_; }

 private:
  // Returns whether unread messages are left, failure notices for instance. MPICH 4.1 and later end
  // the job when a communicator with unread messages is freed, and earlier versions let a later
  // communicator take the messages.
  [[nodiscard]] bool has_unread() const {
    int yes = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, mine_, &yes, MPI_STATUS_IGNORE);
    return yes != 0;
  }

  MPI_Comm mine_ = MPI_COMM_NULL;
  bool is_kept_ = false;
};

// A failure notice from PE to PE.
struct notice {
  std::uint64_t network;  // the receiver may be a later network
  char text[failure_text_bytes];
};

// Returns a number known to all PEs of the communicator; no PE gets the number again. But threads
// that make networks of different communicators at the same time may get equal numbers.
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

int largest_tag(MPI_Comm c) {
  int* value = nullptr;
  int found = 0;
  check(MPI_Comm_get_attr(c, MPI_TAG_UB, static_cast<void*>(&value), &found), "MPI_Comm_get_attr");
  return found != 0 ? *value : 32767;  // the minimum of the standard
}

// Values that MPI combines by a function of Boxcar. MPI hands an operation only the values and
// their type; so the function is attached to the type.
class foldable {
 public:
  using combination = std::function<void(std::byte*, const std::byte*)>;

  // One value is one element, which MPI does not take to pieces.
  foldable(std::size_t bytes, const combination& combine) {
    check(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_), "MPI_Type_contiguous");
    check(MPI_Type_commit(&type_), "MPI_Type_commit");
    check(MPI_Type_set_attr(type_, key(), const_cast<combination*>(&combine)), "MPI_Type_set_attr");
    constexpr int in_any_order = 0;
    check(MPI_Op_create(combine_all, in_any_order, &fold_), "MPI_Op_create");
  }
  foldable(const foldable&) = delete;
  foldable& operator=(const foldable&) = delete;
  ~foldable() {
    MPI_Op_free(&fold_);
    MPI_Type_free(&type_);
  }
  [[nodiscard]] MPI_Datatype type() const { return type_; }
  [[nodiscard]] MPI_Op fold() const { return fold_; }

 private:
  static int key() {
    static const int only = [] {
      int made = MPI_KEYVAL_INVALID;
      check(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &made, nullptr),
            "MPI_Type_create_keyval");
      return made;
    }();
    return only;
  }

  // second = first combined with second, in this order.
  static void combine_all(void* first, void* second, int* count, MPI_Datatype* type) {
    void* attached = nullptr;
    int found = 0;
    int bytes = 0;
    MPI_Type_get_attr(*type, key(), static_cast<void*>(&attached), &found);
    MPI_Type_size(*type, &bytes);
    auto* a = static_cast<std::byte*>(first);
    auto* b = static_cast<std::byte*>(second);
    const auto step = static_cast<std::size_t>(bytes);
    std::vector<std::byte> into(step);
    for (int i = 0; i < *count; ++i, a += step, b += step) {
      std::copy_n(a, step, into.begin());
      (*static_cast<const combination*>(attached))(into.data(), b);
      std::ranges::copy(into, b);
    }
  }

  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op fold_ = MPI_OP_NULL;
};

class mpi_network final : public network {
 public:
  explicit mpi_network(MPI_Comm original)
      : links_(original),
        others_(original),
        tags_(std::make_shared<tag_pool>(largest_tag(links_.get()))) {
    check(MPI_Comm_rank(links_.get(), &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(links_.get(), &size_), "MPI_Comm_size");
    tags_of_each_ = largest_tag(others_.get()) / 2;
    mail_tags_ = std::make_shared<tag_pool>(tags_of_each_ - 1);
    number_ = agree_on_number(links_.get());
  }
  mpi_network(const mpi_network&) = delete;
  mpi_network& operator=(const mpi_network&) = delete;
  ~mpi_network() override {
    drop_draining();
    if (tags_->has_lost_one()) links_.keep();
    if (mail_tags_->has_lost_one()) others_.keep();
    if (is_running() && !give_up(std::span(&listening_, 1))) {
      static_cast<void>(heard_.release());  // MPI may still write there
      others_.keep();
    }
  }

  [[nodiscard]] const char* name() const override { return "mpi"; }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] bool is_running() const noexcept override { return mpi::is_running(); }
  void require_many_threads() const override { mpi::require_many_threads(); }

  void reduce_at_start(std::span<std::byte> value,
                       const std::function<void(std::byte*, const std::byte*)>& combine) override {
    if (value.empty()) {
      MPI_Request met = MPI_REQUEST_NULL;
      check(MPI_Ibarrier(links_.get(), &met), "MPI_Ibarrier");
      return wait(met, "MPI_Ibarrier");
    }
    const foldable values(value.size(), combine);
    std::vector<std::byte> result(value.size());
    MPI_Request reduced = MPI_REQUEST_NULL;
    check(MPI_Iallreduce(value.data(), result.data(), 1, values.type(), values.fold(), links_.get(),
                         &reduced),
          "MPI_Iallreduce");
    wait(reduced, "MPI_Iallreduce");
    std::ranges::copy(result, value.begin());
  }

  std::unique_ptr<link_set> make_links(substrate& world, const link_plan& plan,
                                       const rank_list& members) override {
    require_running();
    const int tag = tags_->take(world);
    auto links =
        mpi::make_links(world, plan, members, links_.get(), tag,
                        [tags = tags_, tag](bool is_over) { tags->give_back(tag, is_over); });
    // No PE sends before all PEs have posted their receives: otherwise early messages would lie in
    // MPI.
    world.barrier();
    return links;
  }

  std::shared_ptr<mailbox> make_mailbox(substrate& world, const rank_list& members) override {
    require_running();
    const int requests = mail_tags_->take(world);
    const int replies = mail_tags_->take(world);
    std::shared_ptr<mailbox> made = mpi::make_mailbox(
        world, members, others_.get(), first_mail_tag + requests, first_mail_tag + replies,
        [tags = mail_tags_, requests, replies](bool is_over) {
          tags->give_back(requests, is_over);
          tags->give_back(replies, is_over);
        });
    world.barrier();
    return made;
  }

  std::unique_ptr<bulk_offer> offer_bulk(int to, std::size_t bytes) override {
    require_running();
    // Items in flight at the same time have different tags.
    const auto tags = static_cast<std::uint64_t>(tags_of_each_);
    const int tag = first_mail_tag + tags_of_each_ +
                    static_cast<int>(offers_.fetch_add(1, std::memory_order_relaxed) % tags);
    return make_offer(others_.get(), to, tag, bytes, offers_alive_);
  }
  std::unique_ptr<bulk_delivery> fetch_bulk(int from, const bulk_ticket& ticket,
                                            const std::function<void()>& wait) override {
    require_running();
    auto fetched = begin_fetch_bulk(from, ticket);
    if (fetched == nullptr) {
      throw system_error("PE " + std::to_string(from) + " of the job has sent a ticket, " +
                         std::to_string(ticket.which) +
                         ", that names no offer. This is a fault of Boxcar or of MPI: please "
                         "report it");
    }
    while (!fetched->has_arrived()) wait();
    return fetched;
  }
  [[nodiscard]] bool fetches_in_background() const override { return true; }
  std::unique_ptr<bulk_delivery> begin_fetch_bulk(int from, const bulk_ticket& ticket) override {
    require_running();
    const auto first = static_cast<std::uint64_t>(first_mail_tag + tags_of_each_);
    const bool is_of_an_offer =
        ticket.which >= first && ticket.which - first < static_cast<std::uint64_t>(tags_of_each_);
    return is_of_an_offer ? begin_fetch_offer(others_.get(), from, ticket) : nullptr;
  }

  void tell_failure(const std::string& message, std::span<const int> to) noexcept override {
    if (!is_running()) return;
    // The notice is never freed: a PE that listens no more may leave the notice in MPI.
    auto* text = new (std::nothrow) notice{number_, {}};
    if (text == nullptr) return;
    message.copy(text->text, sizeof text->text - 1);
    std::vector<MPI_Request> requests(to.size(), MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < to.size(); ++i) {
      MPI_Isend(text, sizeof *text, MPI_BYTE, to[i], notice_tag, others_.get(), &requests[i]);
    }
    // The PE may call MPI no more after tell_failure, and without calls some MPIs send nothing.
    static_cast<void>(end_soon(requests));
  }

  bool hear_failure(std::string& message) override {
    require_running();
    if (listening_ == MPI_REQUEST_NULL) listen();
    int flag = 0;
    check(MPI_Test(&listening_, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    if (flag == 0 || heard_->network != number_) return false;
    message.assign(heard_->text, strnlen(heard_->text, sizeof heard_->text));
    return true;
  }

 protected:
  // Any MPI function that looks for messages lets MPI make progress.
  void drive() noexcept override {
    int flag = 0;
    static_cast<void>(
        MPI_Iprobe(MPI_ANY_SOURCE, notice_tag, others_.get(), &flag, MPI_STATUS_IGNORE));
  }

 private:
  // The tags of the second communicator: a notice tag, then as many tags for mail as for bulk.
  static constexpr int notice_tag = 0;
  static constexpr int first_mail_tag = 1;

  void listen() {
    check(MPI_Irecv(heard_.get(), sizeof(notice), MPI_BYTE, MPI_ANY_SOURCE, notice_tag,
                    others_.get(), &listening_),
          "MPI_Irecv");
  }

  communicator links_;  // messages of link sets
  // Notices, requests and replies, and items too large for buffers. (With one communicator for all
  // messages, MPI would look at all receives of links whenever a request arrives.)
  communicator others_;
  std::shared_ptr<tag_pool> tags_;  // of links
  std::shared_ptr<tag_pool> mail_tags_;
  int rank_ = 0;
  int size_ = 0;
  int tags_of_each_ = 0;
  std::uint64_t number_ = 0;
  std::atomic<std::uint64_t> offers_ = 0;  // (A progress thread makes offers as well.)
  std::shared_ptr<std::atomic<std::size_t>> offers_alive_ =
      std::make_shared<std::atomic<std::size_t>>(0);
  MPI_Request listening_ = MPI_REQUEST_NULL;
  std::unique_ptr<notice> heard_ = std::make_unique<notice>();
  finalize_hook at_finalize_{[this] { give_up(std::span(&listening_, 1)); }};
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
  before_end(draining_networks::wait_for_others);
  return until_left(std::make_unique<mpi_network>(original));
}

}  // namespace boxcar::detail::mpi

#include "mpi/isend.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mpi/communicator.hpp"
#include "mpi/request_ring.hpp"

namespace boxcar::bench {
namespace {

// The limits of a PE: sends in flight, and posted receives.
constexpr std::size_t under_way = 256;
constexpr std::size_t awaited = 128;
// The number of sends between two polls for arrivals.
constexpr std::size_t looked_for_every = 16;

// Collective. The number of items that this PE will receive. No PE knows its number before all PEs
// have begun, so no item of one session is taken for an item of the session before.
std::uint64_t agree_on_arrivals(const partitioned_job& job, const communicator& all) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(all.size()));
  job.count(0, job.items(), counts);
  const std::vector<std::uint64_t> sent(counts.begin(), counts.end());
  std::uint64_t arriving = 0;
  check_mpi(MPI_Reduce_scatter_block(sent.data(), &arriving, 1, MPI_UINT64_T, MPI_SUM, all.get()),
            "MPI_Reduce_scatter_block");
  return arriving;
}

// Collective. A PE whose sends have completed may still be needed until its messages arrive: an MPI
// may make progress only while the process calls MPI.
void leave_together(const communicator& all) {
  check_mpi(MPI_Barrier(all.get()), "MPI_Barrier");
}

class one_way_isend final : public baseline {
 public:
  explicit one_way_isend(one_way_job& work)
      : job_(work),
        item_bytes_(static_cast<int>(work.item_bytes())),
        sends_(under_way, work.item_bytes()),
        receives_(awaited, work.item_bytes()) {}
  [[nodiscard]] std::string name() const override { return "isend"; }
  [[nodiscard]] bench::job& job() override { return job_; }

  void run() override {
    to_receive_ = agree_on_arrivals(job_, all_);
    received_ = 0;
    posted_ = 0;
    while (posted_ < std::min<std::uint64_t>(receives_.size(), to_receive_)) post(posted_);
    const std::uint64_t n = job_.items();
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::size_t slot = i % sends_.size();
      while (!sends_.has_finished(slot)) receive();
      send(i, slot);
      if (slot % looked_for_every == 0) receive();
    }
    while (received_ < to_receive_) receive();
    for (std::size_t slot = 0; slot < sends_.size(); ++slot) {
      while (!sends_.has_finished(slot)) receive();
    }
    leave_together(all_);
  }

 private:
  static constexpr int tag = 1;

  void send(std::uint64_t i, std::size_t slot) {
    job_.copy(i, sends_.item(slot));
    check_mpi(MPI_Isend(sends_.item(slot), item_bytes_, MPI_BYTE, job_.pe_of(i), tag, all_.get(),
                        &sends_.request(slot)),
              "MPI_Isend");
  }
  void post(std::size_t slot) {
    check_mpi(MPI_Irecv(receives_.item(slot), item_bytes_, MPI_BYTE, MPI_ANY_SOURCE, tag,
                        all_.get(), &receives_.request(slot)),
              "MPI_Irecv");
    ++posted_;
  }
  void receive() {
    for (const int i : receives_.finished()) {
      const auto slot = static_cast<std::size_t>(i);
      job_.apply_all(receives_.item(slot), 1);
      ++received_;
      if (posted_ < to_receive_) post(slot);
    }
  }

  one_way_job& job_;
  int item_bytes_;
  communicator all_;
  request_ring sends_;
  request_ring receives_;
  // The state of the current session.
  std::uint64_t to_receive_ = 0;
  std::uint64_t posted_ = 0;
  std::uint64_t received_ = 0;
};

// A PE asks from the slots of one ring, in turn. The tag of a query is its slot. The reply has the
// same tag and goes over another communicator. The asker posts the receive for the reply before the
// query leaves. A slot is used again when its reply has arrived, so that all queries in flight have
// different tags.
//
// A second ring has the posted receives for queries of other PEs, with any tag. The slot of an
// arrived query sends the reply, and posts its next receive when the reply has left. So there is
// always room for the reply to an arrived query, and a PE answers wherever it waits.
class two_way_isend final : public baseline {
 public:
  explicit two_way_isend(two_way_job& work)
      : job_(work),
        query_bytes_(static_cast<int>(work.item_bytes())),
        reply_bytes_(static_cast<int>(work.reply_bytes())),
        asked_(under_way, work.item_bytes()),
        taken_(under_way, work.reply_bytes()),
        served_(awaited, work.item_bytes()),
        given_(awaited * work.reply_bytes()),
        replies_(awaited),
        statuses_(awaited) {}
  [[nodiscard]] std::string name() const override { return "isend"; }
  [[nodiscard]] bench::job& job() override { return job_; }

  void run() override {
    to_answer_ = agree_on_arrivals(job_, queries_to_all_);
    answered_ = 0;
    posted_ = 0;
    while (posted_ < std::min<std::uint64_t>(served_.size(), to_answer_)) wait_for_query(posted_);
    const std::uint64_t n = job_.items();
    for (std::uint64_t i = 0; i < n; ++i) {
      if (i >= asked_.size()) take_reply(i - asked_.size());
      ask(i);
      if (i % looked_for_every == 0) answer();
    }
    for (std::uint64_t i = n - std::min<std::uint64_t>(n, asked_.size()); i < n; ++i) take_reply(i);
    while (answered_ < to_answer_) answer();
    leave_together(queries_to_all_);
  }

 private:
  void ask(std::uint64_t i) {
    const std::size_t slot = i % asked_.size();
    const int tag = static_cast<int>(slot);
    const int pe = job_.pe_of(i);
    check_mpi(MPI_Irecv(taken_.item(slot), reply_bytes_, MPI_BYTE, pe, tag, replies_to_all_.get(),
                        &taken_.request(slot)),
              "MPI_Irecv");
    job_.copy(i, asked_.item(slot));
    check_mpi(MPI_Isend(asked_.item(slot), query_bytes_, MPI_BYTE, pe, tag, queries_to_all_.get(),
                        &asked_.request(slot)),
              "MPI_Isend");
  }
  void take_reply(std::uint64_t i) {
    const std::size_t slot = i % asked_.size();
    while (!taken_.has_finished(slot)) answer();
    while (!asked_.has_finished(slot)) answer();
    constexpr std::array<std::uint32_t, 1> at_first{0};
    job_.receive_all(i, i + 1, taken_.item(slot), at_first);
  }

  void wait_for_query(std::size_t slot) {
    replies_[slot] = 0;
    check_mpi(MPI_Irecv(served_.item(slot), query_bytes_, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG,
                        queries_to_all_.get(), &served_.request(slot)),
              "MPI_Irecv");
    ++posted_;
  }
  void answer() {
    const auto finished = served_.finished(statuses_.data());
    for (std::size_t k = 0; k < finished.size(); ++k) {
      const auto slot = static_cast<std::size_t>(finished[k]);
      if (replies_[slot] == 0) {
        reply(slot, statuses_[k]);
        continue;
      }
      ++answered_;
      if (posted_ < to_answer_) wait_for_query(slot);
    }
  }
  void reply(std::size_t slot, const MPI_Status& query) {
    std::byte* reply = given_.data() + slot * job_.reply_bytes();
    job_.answer_all(served_.item(slot), 1, reply);
    replies_[slot] = 1;
    check_mpi(MPI_Isend(reply, reply_bytes_, MPI_BYTE, query.MPI_SOURCE, query.MPI_TAG,
                        replies_to_all_.get(), &served_.request(slot)),
              "MPI_Isend");
  }

  two_way_job& job_;
  int query_bytes_;
  int reply_bytes_;
  communicator queries_to_all_;
  communicator replies_to_all_;
  request_ring asked_;
  request_ring taken_;   // the replies to the PE's queries
  request_ring served_;  // queries of other PEs, and the replies to the queries
  std::vector<std::byte> given_;
  std::vector<char> replies_;  // whether a slot of served_ sends its reply
  std::vector<MPI_Status> statuses_;
  // The state of the current session.
  std::uint64_t to_answer_ = 0;
  std::uint64_t posted_ = 0;
  std::uint64_t answered_ = 0;  // queries whose replies have left
};

}  // namespace

void make_isend(job& work, baselines& all) {
  if (one_way_job* one = work.as_one_way()) {
    all.push_back(std::make_unique<one_way_isend>(*one));
  } else if (two_way_job* two = work.as_two_way()) {
    all.push_back(std::make_unique<two_way_isend>(*two));
  }
}

}  // namespace boxcar::bench

#include "substrate/mpi/bulk.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "substrate/memory_errors.hpp"
#include "substrate/mpi/block_pool.hpp"
#include "substrate/mpi/call.hpp"
#include "substrate/mpi/runtime.hpp"

namespace boxcar::detail::mpi {
namespace {

// MPI counts with an int. Far smaller pieces are as fast, and then many items have several pieces.
constexpr std::size_t piece_bytes = std::size_t{64} << 20;

// Memory for an item, and the messages that send or receive the item.
class item_memory {
 public:
  explicit item_memory(std::size_t bytes) : bytes_(bytes) {
    try {
      data_ = block_pool::of_process().take(bytes);
    } catch (const std::bad_alloc&) {
      throw shortage("there is no memory for an item of " + std::to_string(bytes) + " bytes");
    }
  }
  item_memory(const item_memory&) = delete;
  item_memory& operator=(const item_memory&) = delete;
  ~item_memory() {
    if (is_running() && !mpi::all_ended(requests_)) {
      // The item was given up half-way, because the world has failed: MPI may still use the memory.
      let_go(requests_);
      return;
    }
    block_pool::of_process().give_back(data_, bytes_);
  }

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // `transfer(data, count, request)` starts the message of one piece.
  template <typename Transfer>
  void start(const Transfer& transfer) {
    for (std::size_t done = 0; done < bytes_; done += piece_bytes) {
      const auto count = static_cast<int>(std::min(bytes_ - done, piece_bytes));
      requests_.push_back(MPI_REQUEST_NULL);
      transfer(data_ + done, count, &requests_.back());
    }
  }

  [[nodiscard]] bool all_ended() {
    int flag = 0;
    check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &flag,
                      MPI_STATUSES_IGNORE),
          "MPI_Testall");
    return flag != 0;
  }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_;
  std::vector<MPI_Request> requests_;
};

class offer final : public bulk_offer {
 public:
  offer(MPI_Comm communicator, int to, int tag, std::size_t bytes,
        std::shared_ptr<std::atomic<std::size_t>> alive)
      : communicator_(communicator), to_(to), tag_(tag), item_(bytes), alive_(std::move(alive)) {
    ++*alive_;
  }
  offer(const offer&) = delete;
  offer& operator=(const offer&) = delete;
  ~offer() override { --*alive_; }

  [[nodiscard]] std::byte* data() const override { return item_.data(); }
  [[nodiscard]] std::size_t bytes() const override { return item_.bytes(); }
  [[nodiscard]] bulk_ticket put_up() override {
    item_.start([this](const std::byte* data, int count, MPI_Request* request) {
      // A synchronous send ends when the other PE takes the item, and not when MPI has a copy.
      check(MPI_Issend(data, count, MPI_BYTE, to_, tag_, communicator_, request), "MPI_Issend");
    });
    return {0, static_cast<std::uint64_t>(tag_), item_.bytes()};
  }
  [[nodiscard]] bool taken() const override { return item_.all_ended(); }

 private:
  MPI_Comm communicator_;
  int to_;
  int tag_;
  mutable item_memory item_;  // tests change the requests
  std::shared_ptr<std::atomic<std::size_t>> alive_;
};

class delivery final : public bulk_delivery {
 public:
  delivery(MPI_Comm communicator, int from, const bulk_ticket& ticket) : item_(ticket.bytes) {
    const int tag = static_cast<int>(ticket.which);
    item_.start([&](std::byte* data, int count, MPI_Request* request) {
      check(MPI_Irecv(data, count, MPI_BYTE, from, tag, communicator, request), "MPI_Irecv");
    });
  }
  [[nodiscard]] bool has_arrived() override { return item_.all_ended(); }
  [[nodiscard]] const std::byte* data() const override { return item_.data(); }

 private:
  item_memory item_;
};

}  // namespace

std::unique_ptr<bulk_offer> make_offer(MPI_Comm communicator, int to, int tag, std::size_t bytes,
                                       const std::shared_ptr<std::atomic<std::size_t>>& alive) {
  try {
    return std::make_unique<offer>(communicator, to, tag, bytes, alive);
  } catch (const shortage&) {
    if (*alive != 0) return nullptr;
    throw;
  }
}

std::unique_ptr<bulk_delivery> begin_fetch_offer(MPI_Comm communicator, int from,
                                                 const bulk_ticket& ticket) {
  return std::make_unique<delivery>(communicator, from, ticket);
}

}  // namespace boxcar::detail::mpi

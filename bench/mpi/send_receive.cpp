#include "mpi/send_receive.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include "mpi/communicator.hpp"

namespace boxcar::bench {
namespace {

class send_receive final : public baseline {
 public:
  explicit send_receive(bench::job& work)
      : job_(work), game_(*work.as_ping_pong()), room_(work.item_bytes() / sizeof(room_[0])) {}

  [[nodiscard]] std::string name() const override { return "send"; }
  [[nodiscard]] bench::job& job() override { return job_; }

  void run() override {
    if (!game_.plays()) return;
    const std::uint64_t n = job_.items();
    for (std::uint64_t i = 0; i < n; ++i) {
      if (game_.begins()) send();
      check_mpi(MPI_Recv(room_.data(), bytes(), MPI_BYTE, game_.partner(), 0, communicator_.get(),
                         MPI_STATUS_IGNORE),
                "MPI_Recv");
      game_.take(room_.data());
      if (!game_.begins()) send();
    }
  }

 private:
  [[nodiscard]] int bytes() const { return static_cast<int>(job_.item_bytes()); }
  void send() {
    check_mpi(
        MPI_Send(game_.next().data(), bytes(), MPI_BYTE, game_.partner(), 0, communicator_.get()),
        "MPI_Send");
  }

  communicator communicator_;
  bench::job& job_;
  ping_pong_job& game_;
  std::vector<std::uint64_t> room_;
};

}  // namespace

void make_send_receive(job& work, baselines& all) {
  if (work.as_ping_pong() != nullptr) all.push_back(std::make_unique<send_receive>(work));
}

}  // namespace boxcar::bench

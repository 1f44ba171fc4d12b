#include "mpi/send_receive.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include "mpi/communicator.hpp"
#include "pipeline_loop.hpp"

namespace boxcar::bench {
namespace {

class ping_pong_messages final : public baseline {
 public:
  explicit ping_pong_messages(bench::job& work)
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

class pipeline_messages final : public baseline {
 public:
  explicit pipeline_messages(bench::job& work) : job_(work), pipeline_(*work.as_pipeline()) {}

  [[nodiscard]] std::string name() const override { return "send"; }
  [[nodiscard]] bench::job& job() override { return job_; }

  void run() override {
    do_pipeline(
        pipeline_,
        [this](double value, std::uint64_t) {
          check_mpi(MPI_Send(&value, 1, MPI_DOUBLE, pipeline_.next_pe(), 0, communicator_.get()),
                    "MPI_Send");
        },
        [this](std::uint64_t) {
          double value = 0;
          check_mpi(MPI_Recv(&value, 1, MPI_DOUBLE, pipeline_.pe_before(), 0, communicator_.get(),
                             MPI_STATUS_IGNORE),
                    "MPI_Recv");
          return value;
        });
  }

 private:
  communicator communicator_;
  bench::job& job_;
  pipeline_job& pipeline_;
};

}  // namespace

void make_send_receive(job& work, baselines& all) {
  if (work.as_ping_pong() != nullptr) {
    all.push_back(std::make_unique<ping_pong_messages>(work));
  } else if (work.as_pipeline() != nullptr) {
    all.push_back(std::make_unique<pipeline_messages>(work));
  }
}

}  // namespace boxcar::bench

// Pipeline: a stencil whose rows pass from PE to PE, one value each (Synch_p2p of the Parallel
// Research Kernels; counting-puts-2014, "Pipelined Parallel Stencil Benchmark").
#include "pipeline.hpp"

#include <string>
#include <vector>

#include "announced_puts.hpp"
#include "one_sided_benchmark.hpp"
#include "pipeline_grid.hpp"
#include "pipeline_loop.hpp"

namespace boxcar::bench {
namespace {

// Every row has a place of its own in the memory of the next PE. A value may be overwritten when
// its sender has received a value of the next session, for which PE 0 needs the last value of the
// current session.
template <typename Puts>
class pipeline_by_puts final : public contender {
 public:
  pipeline_by_puts(world& w, pipeline_grid& grid) : world_(w), grid_(grid), puts_(w, grid.rows()) {}
  [[nodiscard]] std::string name() const override { return Puts::name; }
  [[nodiscard]] bench::role role() const override { return bench::role::boxcar; }
  [[nodiscard]] bench::job& job() override { return grid_; }
  void prepare() override {
    puts_.begin();
    world_.barrier();
  }
  void run() override {
    const int next = grid_.next_pe();
    do_pipeline(
        grid_,
        [this, next](double value, std::uint64_t row) {
          puts_.fence();
          puts_.put(value, next, row);
        },
        [this](std::uint64_t row) {
          puts_.wait();
          return puts_.here()[row];
        });
  }

 private:
  world& world_;
  pipeline_grid& grid_;
  Puts puts_;
};

// PE 0 computes its own part.
class part_of_one final : public contender {
 public:
  part_of_one(world&, pipeline_grid& grid) : grid_(grid) {}
  [[nodiscard]] std::string name() const override { return "limit"; }
  [[nodiscard]] bench::role role() const override { return bench::role::limit; }
  [[nodiscard]] bench::job& job() override { return grid_; }
  void run() override {
    if (!grid_.is_first()) return;
    double corner = 0;
    for (std::uint64_t row = 1; row < grid_.rows(); ++row) corner = grid_.compute(row, 0);
    grid_.feed_back(corner);
  }

 private:
  pipeline_grid& grid_;
};

}  // namespace

std::unique_ptr<benchmark> make_pipeline(world& w, const setting& s) {
  return std::make_unique<
      one_sided_benchmark<pipeline_grid, part_of_one, pipeline_by_puts<counting_puts<double>>,
                          pipeline_by_puts<puts_and_flags<double>>>>(w, s);
}

}  // namespace boxcar::bench

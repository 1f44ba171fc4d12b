// A collective compiled to a schedule, with memory of its own for data that the PEs combine and
// forward. Data of the program that the schedule cannot use in place are copied to this memory,
// too.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boxcar/schedule_carrier.hpp>
#include <boxcar/window.hpp>

#include "collective/collective_state.hpp"
#include "collective/flow.hpp"
#include "collective/making.hpp"
#include "collective/request.hpp"
#include "schedule/compiled_schedule.hpp"

namespace boxcar::detail {

class scheduled_collective final : public collective_state {
 public:
  // Collective. `nodes`: of each PE.
  scheduled_collective(const world& w, const collective_request& call, const collective_way& way,
                       const std::vector<int>& nodes, const collective_memory& memory,
                       schedule_carrier carrier);

  void use(std::span<const std::byte> in, std::span<std::byte> out,
           std::span<const std::byte> first) override;
  void start() override;
  [[nodiscard]] bool test() override;
  void wait() override;

  [[nodiscard]] std::string explain() const override { return explanation_; }
  [[nodiscard]] std::string text() const override { return schedule_->text(); }
  [[nodiscard]] std::string graphviz() const override { return schedule_->graphviz(); }

 private:
  // From where to where.
  struct copying {
    std::span<const std::byte> from;
    std::span<std::byte> into;
  };
  // What is needed to lay it, while it is made.
  struct laying {
    const collective_request& call;
    const collective_way& way;
    const std::vector<int>& nodes;
    bool uses_in;
    bool uses_out;
    schedule_carrier carrier;
  };

  scheduled_collective(const world& w, const laying& how, const collective_memory& memory);
  // But for memory that others cannot reach.
  void lay(flow& f, const laying& how);
  [[nodiscard]] std::unique_ptr<compiled_schedule> make_schedule(const world& w, const laying& how,
                                                                 const collective_memory& memory);
  void deliver();

  std::optional<copying> before_;  // a run
  std::optional<copying> after_;
  std::span<std::byte> first_;  // an exclusive scan's, where it is kept
  // Scratch memory of schedules that the network may execute; others have it in their adapters.
  std::optional<window<std::byte>> scratch_;
  std::unique_ptr<compiled_schedule> schedule_;
  std::string explanation_;
  bool is_under_way_ = false;
};

}  // namespace boxcar::detail

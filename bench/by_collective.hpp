// A contender that does a job of runs by Boxcar's collective with given options.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include <boxcar/collective.hpp>
#include <boxcar/window.hpp>
#include <boxcar/world.hpp>

#include "collective_runs.hpp"
#include "contender.hpp"

namespace boxcar::bench {

class by_collective final : public contender {
 public:
  // Collective. Throws argument_error on all PEs if the options are impossible.
  by_collective(world& w, collective_runs& all, const collective_options& how, std::string name);

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bench::role role() const override { return bench::role::boxcar; }
  [[nodiscard]] bench::job& job() override { return all_; }
  [[nodiscard]] std::string explanation() const override { return collective_->explain(); }
  void prepare() override { world_.barrier(); }
  void run() override;
  void finish() override { world_.barrier(); }

 private:
  using word = collective_job::word;

  [[nodiscard]] std::span<word> given() const;
  [[nodiscard]] std::span<word> got() const;
  [[nodiscard]] collective made(collectives& make, const collective_options& o) const;

  world& world_;
  collective_runs& all_;
  std::string name_;
  window<word> memory_;
  std::optional<collective> collective_;
};

}  // namespace boxcar::bench

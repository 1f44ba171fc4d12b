// The account that `boxcar simulate` gives of a simulation.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include <boxcar/simulate.hpp>

#include "report_file.hpp"

namespace boxcar::simulator {

class account {
 public:
  // The constructor starts the clock. `network` is the name of the network. Throws system_error if
  // `json`, which may be empty, cannot be written.
  account(const simulate_options& machine, const std::string& network, const std::string& json);

  // The simulation is over; each PE had `data_bytes` bytes of private variables. Throws
  // system_error.
  void close(const simulation& was, std::size_t data_bytes);

  // Returns a few lines of text.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::string json() const;

  simulate_options machine_;
  std::string network_;
  std::optional<tool::report_file> file_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  simulation was_;
  std::size_t data_bytes_ = 0;
  double seconds_ = 0;
  std::size_t peak_bytes_ = 0;  // of this process
};

}  // namespace boxcar::simulator

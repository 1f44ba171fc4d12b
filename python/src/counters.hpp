// Counters, for Python.
#pragma once

#include <cstdint>
#include <memory>
#include <nanobind/nanobind.h>
#include <optional>
#include <string_view>

#include <boxcar/counter.hpp>

#include "pe.hpp"

namespace boxcar::python {

class waited_counter : public counter {
 public:
  // Collective. Counts "messages" or "bytes".
  waited_counter(pe& here, std::string_view what);

  // Returns whether the count is at least `at_least` by now.
  [[nodiscard]] bool test_now(std::int64_t at_least) const;
  // Returns true when the count is at least `at_least`; false after `seconds`, if given.
  [[nodiscard]] bool wait_in_turns(std::int64_t at_least, std::optional<double> seconds) const;

 private:
  std::shared_ptr<boxcar::detail::substrate> world_;
};

void define_counters(nanobind::module_& m);

}  // namespace boxcar::python

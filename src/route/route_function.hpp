// What the members of the family of routes differ in. include/boxcar/route.hpp tells what the
// functions mean; here the PEs are known to be in range.
#pragma once

#include <string>
#include <vector>

#include <boxcar/route.hpp>

#include "route/tagged_route.hpp"

namespace boxcar::detail {

class route_function {
 public:
  virtual ~route_function() = default;

  [[nodiscard]] virtual int pes() const = 0;
  [[nodiscard]] virtual int stages() const = 0;
  // `at` and `to` are not the same.
  [[nodiscard]] virtual hop next(int at, int to) const = 0;
  // In the order of the stages, and ascending within each.
  [[nodiscard]] virtual std::vector<hop> links(int pe) const = 0;
  [[nodiscard]] virtual std::vector<hop> links_from_others(int pe) const = 0;
  [[nodiscard]] virtual broadcast_step broadcast(int at, int arrived_on) const = 0;
  // How conveyors follow it. Throws argument_error if they cannot.
  [[nodiscard]] virtual tagged_route tagged() const {
    return tagged_route::by_table(pes(), stages());
  }
  // What it is, without the number of stages and links.
  [[nodiscard]] virtual std::string describe() const = 0;
};

// In the order that `links` promises.
void sort_links(std::vector<hop>& links);

}  // namespace boxcar::detail

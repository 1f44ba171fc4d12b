// The interface of all routes. include/boxcar/route.hpp specifies the functions; here all PEs are
// known to be in range.
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
  // Precondition: at != to.
  [[nodiscard]] virtual hop next(int at, int to) const = 0;
  // The links are in the order of the stages, and ascending within each stage.
  [[nodiscard]] virtual std::vector<hop> links(int pe) const = 0;
  [[nodiscard]] virtual std::vector<hop> links_from_others(int pe) const = 0;
  [[nodiscard]] virtual broadcast_step broadcast(int at, int arrived_on) const = 0;
  // Returns the path that conveyors follow. Throws argument_error if conveyors cannot follow the
  // route.
  [[nodiscard]] virtual tagged_route tagged() const {
    return tagged_route::by_table(pes(), stages());
  }
  // Returns a description without the number of stages and links.
  [[nodiscard]] virtual std::string describe() const = 0;
};

// Sorts links into the order specified for `links`.
void sort_links(std::vector<hop>& links);

}  // namespace boxcar::detail

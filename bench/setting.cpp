#include "setting.hpp"

#include <array>

namespace boxcar::bench {
namespace {

constexpr std::array<std::string_view, 5> names{"auto", "simple", "twohop", "tensor", "elastic"};

conveyor_kind kind_of(carrier kind) {
  switch (kind) {
    case carrier::automatic:
      return conveyor_kind::automatic;
    case carrier::simple:
      return conveyor_kind::simple;
    case carrier::twohop:
      return conveyor_kind::twohop;
    case carrier::tensor:
    case carrier::elastic:
      return conveyor_kind::tensor;
  }
  return conveyor_kind::automatic;
}

}  // namespace

std::string_view name_of(carrier kind) {
  return names[static_cast<std::size_t>(kind)];
}

std::vector<std::string> carrier_names() {
  return {names.begin(), names.end()};
}

conveyor_options options_of(const setting& s) {
  return {.kind = kind_of(s.kind),
          .hops = s.hops,
          .local_group = s.group,
          .buffer_bytes = s.buffer_bytes,
          .buffers_per_link = s.buffers};
}

}  // namespace boxcar::bench

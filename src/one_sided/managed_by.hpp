// The names of managed_by values, for messages.
#pragma once

#include <string_view>

#include <boxcar/counter.hpp>

namespace boxcar::detail {

inline std::string_view name_of(managed_by who) {
  switch (who) {
    case managed_by::automatic:
      return "automatic";
    case managed_by::sender:
      return "sender";
    case managed_by::receiver:
      return "receiver";
  }
  return "nobody";
}

}  // namespace boxcar::detail

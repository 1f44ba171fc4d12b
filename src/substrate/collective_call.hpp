// What PEs call when they call a collective: the same on all of them, or they get an error instead
// of one another's bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <boxcar/detail/type_identity.hpp>

namespace boxcar::detail {

enum class collective_kind : std::uint32_t {
  none = 0,
  barrier,
  broadcast,
  all_gather,
  all_reduce,
  split,
  share_memory,
  gather,
  scan
};

const char* name_of(collective_kind kind);

// Travels as plain bytes.
struct collective_call {
  collective_call() = default;
  collective_call(collective_kind what, std::uint64_t bytes_of_each, int root_pe = 0,
                  const type_identity& of = {});

  // The name of the type goes with its hash.
  bool operator==(const collective_call& other) const {
    return kind == other.kind && root == other.root && bytes == other.bytes && type == other.type;
  }

  collective_kind kind = collective_kind::none;
  std::uint32_t root = 0;
  std::uint64_t bytes = 0;  // that every PE contributes; 0 if they may differ
  std::uint64_t type = 0;   // the hash of a type_identity
  std::array<char, 40> type_name{};
};

// Of contributions of any size to one PE, or with -1 to all.
collective_call call_of_gather(int root, const type_identity& of);

std::string describe(const collective_call& call);
// Of two PEs of a world.
std::string describe_mismatch(int pe, const collective_call& its, int other,
                              const collective_call& of_other);

}  // namespace boxcar::detail

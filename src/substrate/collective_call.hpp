// The description of a collective by a calling PE. All PEs must give the same description, or they
// get an error instead of each other's bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <boxcar/detail/called_scope.hpp>
#include <boxcar/detail/type_identity.hpp>

namespace boxcar::detail {

struct pe_report;

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

// A collective_call is sent as plain bytes.
struct collective_call {
  using name = std::array<char, 47>;

  collective_call() = default;
  collective_call(collective_kind what, std::uint64_t bytes_of_each, int root_pe = 0,
                  const type_identity& of = {});

  // Types with equal hashes have equal names.
  bool operator==(const collective_call& other) const {
    return kind == other.kind && root == other.root && bytes == other.bytes && type == other.type &&
           has_value == other.has_value && called == other.called;
  }

  collective_kind kind = collective_kind::none;
  std::uint32_t root = 0;
  std::uint64_t bytes = 0;  // contributed by every PE; 0 if contributions may differ
  std::uint64_t type = 0;   // the hash of a type_identity
  name called{};            // the function called by the program
  bool has_value = false;   // of `bytes`, which the program gave
  std::array<char, 40> type_name{};
};

// Returns the call in received bytes, with terminated names; nothing if the bytes are invalid.
std::optional<collective_call> call_in(std::span<const std::byte, sizeof(collective_call)> bytes);

// Returns the call of a gather of contributions of any size to a PE, or with -1 to all PEs.
collective_call call_of_gather(int root, const type_identity& of);

// Returns `call` as a step of the PE's current call `in`.
collective_call within(const current_call& in, collective_call call);

// Returns a hash, equal for equal calls and rarely for different calls. The low 16 bits are zero.
std::uint64_t fingerprint(const collective_call& call);

// A cache of the last description of a collective by a PE, for repeated calls from the same place:
// to compose names takes as long as a collective of a few PEs.
class said_call {
 public:
  // Writes the description to `to`, unless the last call wrote it. Returns the fingerprint.
  std::uint64_t say(const current_call& in, const collective_call& call, collective_call& to);

 private:
  // (Names live for ever: equal pointers mean the same place.)
  [[nodiscard]] bool is(const current_call& in, const collective_call& call) const {
    return call.kind == call_.kind && call.root == call_.root && call.bytes == call_.bytes &&
           call.type == call_.type && in.name == in_.name && in.within == in_.within &&
           in.has_value == in_.has_value;
  }

  current_call in_;
  collective_call call_;
  std::uint64_t print_ = 0;
};

// "is making a conveyor", "is in reduce of 8 bytes of type long"
std::string describe(const collective_call& call);

// Writes the current call of the program, in at most `bytes` characters: "barrier, within
// exchange".
void write_name(const current_call& in, const char* otherwise, char* to, std::size_t bytes);

// Returns the activity of a PE in a call of this name: "making a conveyor", "in reduce".
std::string doing(const std::string& name);
// Returns the activity of a reporting PE, with details of the object.
std::string doing(const pe_report& r);

// Returns the error of two PEs in different collectives, with the names `one` and `other`.
std::string mismatch_text(const std::string& one, const collective_call& its,
                          const std::string& other, const collective_call& others);

}  // namespace boxcar::detail

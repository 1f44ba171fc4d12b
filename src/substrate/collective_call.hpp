// What a PE says of a collective that it calls: the same on all of them, or they get an error
// instead of one another's bytes.
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

// Travels as plain bytes.
struct collective_call {
  using name = std::array<char, 47>;

  collective_call() = default;
  collective_call(collective_kind what, std::uint64_t bytes_of_each, int root_pe = 0,
                  const type_identity& of = {});

  // The name of the type goes with its hash.
  bool operator==(const collective_call& other) const {
    return kind == other.kind && root == other.root && bytes == other.bytes && type == other.type &&
           has_value == other.has_value && called == other.called;
  }

  collective_kind kind = collective_kind::none;
  std::uint32_t root = 0;
  std::uint64_t bytes = 0;  // that every PE contributes; 0 if they may differ
  std::uint64_t type = 0;   // the hash of a type_identity
  name called{};            // what the program has called
  bool has_value = false;   // of `bytes`, which the program gave
  std::array<char, 40> type_name{};
};

// What has travelled, if it can be a call: the kind is one that there is, and names have an end.
std::optional<collective_call> call_in(std::span<const std::byte, sizeof(collective_call)> bytes);

// Of contributions of any size to one PE, or with -1 to all.
collective_call call_of_gather(int root, const type_identity& of);

// As a step of what the PE is in.
collective_call within(const current_call& in, collective_call call);

// The same for the same calls, and hardly ever for others. The low 16 bits are zero.
std::uint64_t fingerprint(const collective_call& call);

// What a PE has said of a collective, so that it need not say it anew of the same one, called from
// the same place: to put names together takes as long as a collective of a few PEs.
class said_call {
 public:
  // Writes it to `to`, unless that was done last time. Returns its fingerprint.
  std::uint64_t say(const current_call& in, const collective_call& call, collective_call& to);

 private:
  // (Names live for ever: the same place is the same name.)
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

// What the program has called, in at most so many characters: "barrier, within exchange".
void write_name(const current_call& in, const char* otherwise, char* to, std::size_t bytes);

// What a PE does that is in a call of this name: "making a conveyor", "in reduce".
std::string doing(const std::string& name);
// The same with what is known of the object.
std::string doing(const pe_report& r);

// Why PEs that called these cannot go on; they are called by these names.
std::string mismatch_text(const std::string& one, const collective_call& its,
                          const std::string& other, const collective_call& others);

}  // namespace boxcar::detail

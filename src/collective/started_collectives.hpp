// The collectives that a PE has started by functions of its world. Those of one kind share a few
// channels, which are made with the first of them, take turns on all PEs alike and are kept for
// the next ones: to start one is local then.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <boxcar/collective_options.hpp>
#include <boxcar/collective_run.hpp>
#include <boxcar/world.hpp>

#include "collective/call_ledger.hpp"
#include "collective/collective_channel.hpp"
#include "collective/request.hpp"

namespace boxcar::detail {

// A kind: what all PEs must give alike, known to each.
struct collective_signature {
  collective_operation kind;
  int root;
  std::size_t bytes;  // of what a PE gives, or of a block
  std::uint64_t type;
  std::size_t element_bytes;
  bool is_of_numbers;
  combination_of_elements::built_in numbers;
  collective_options options;

  friend bool operator==(const collective_signature&, const collective_signature&) = default;
  [[nodiscard]] std::uint32_t hash() const;
};

class started_collectives {
 public:
  // Collective, as the functions of a world say.
  [[nodiscard]] collective_run start(const world& w, collective_start what,
                                     const collective_options& options);

 private:
  static constexpr std::size_t most_kinds = 64;
  static constexpr std::size_t most_at_once = 4;
  static constexpr std::size_t most_long_at_once = 2;
  static constexpr std::size_t long_bytes = 65'536;

  struct kind {
    collective_signature signature;
    std::uint32_t hash;
    std::vector<std::shared_ptr<collective_channel>> channels;
    std::size_t next = 0;
  };

  void note(const world& w, const collective_signature& what, std::uint32_t hash);
  // nullptr: there is none yet.
  [[nodiscard]] kind* find(const collective_signature& what);
  // Collective.
  [[nodiscard]] kind& make(const world& w, const collective_signature& what,
                           collective_request call, const collective_start& start);

  std::optional<call_ledger> ledger_;
  std::list<kind> kinds_;  // that of the last start first
};

}  // namespace boxcar::detail

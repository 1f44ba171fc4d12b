// The agreement of all PEs on values that every PE must give alike: one reduction of a hash, if the
// values are equal. Only if the hashes differ, values travel: PE 0 sends its values to all PEs, and
// the lowest PE with another value or an error of its own sends the difference or error to all PEs.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Why the PEs do not agree, the same on all of them.
struct objection {
  int pe = 0;           // the lowest rank of those that object
  std::string problem;  // why what it gives cannot work, whatever the others give; or empty, and
  std::string on;       // what it gives another value for than PE 0
  std::string first;    // the value of PE 0
  std::string its;      // and its own

  // "the PEs disagree on `owner` `on`: ...", or "`subject` on PE n: problem".
  [[nodiscard]] std::string text(const std::string& subject, const std::string& owner) const;
};

// PEs have given different values, where none of them need be wrong.
class disagreement : public argument_error {
 public:
  using argument_error::argument_error;
};

class agreement {
 public:
  agreement() {
    names_.reserve(24);
    values_.reserve(192);
  }

  // All PEs name the same things in the same order; only the values may differ. A name outlives
  // this.
  void on(std::string_view name, std::string_view value);
  void on(std::string_view name, std::integral auto value) {
    on_number(name, static_cast<std::uint64_t>(value));
  }
  // What this PE gives cannot work. The first problem counts.
  void object(std::string problem);
  // Returns the problem of this PE, or an empty text.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  // Collective. Nothing, if all PEs agree and none objects. `maxima`: each number becomes the
  // largest of all PEs, in the same reduction.
  [[nodiscard]] std::optional<objection> reach(substrate& world,
                                               std::span<std::uint64_t> maxima = {}) const;

  // The same; throws argument_error on all PEs if there is something, with what `text` says of it:
  // a `disagreement` if no PE objects to its own value.
  void require(substrate& world, std::string_view subject, std::string_view owner,
               std::span<std::uint64_t> maxima = {}) const;

  // What `reach` finds, by anything that reduces as a substrate does.
  using combination = std::function<void(std::byte* into, const std::byte* next)>;
  using reduction = std::function<void(std::span<std::byte> value, const combination&)>;
  [[nodiscard]] std::optional<objection> reach(const reduction& reduce, int rank,
                                               std::span<std::uint64_t> maxima = {}) const;

 private:
  void on_number(std::string_view name, std::uint64_t value);
  [[nodiscard]] std::uint64_t hash() const;

  std::vector<std::string_view> names_;
  std::string values_;  // in the order of the names, each with a separator after it
  std::string problem_;
};

}  // namespace boxcar::detail

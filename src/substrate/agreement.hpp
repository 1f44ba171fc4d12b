// An agreement checks that all PEs of a world give the same values to a collective. If all is well,
// the check costs a single reduction of a hash. Otherwise the problem of the lowest objecting rank
// travels to all PEs; if no PE objects, the values of PE 0 and then the difference of the lowest
// differing rank.
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

// The reason why the PEs do not agree, the same on all PEs.
struct objection {
  int pe = 0;           // the lowest rank of the objecting PEs
  std::string problem;  // why the values of the PE can never work; or empty, and
  std::string on;       // the name of the value that differs from PE 0
  std::string first;    // the value of PE 0
  std::string its;      // and the value of the PE

  // Returns "the PEs disagree on `owner` `on`: ...", or "`subject` on PE n: problem".
  [[nodiscard]] std::string text(const std::string& subject, const std::string& owner) const;
};

// PEs have given different values, each of which may be right.
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

  // Adds a value. All PEs add the same names in the same order; only the values may differ. A name
  // outlives the agreement.
  void on(std::string_view name, std::string_view value);
  void on(std::string_view name, std::integral auto value) {
    on_number(name, static_cast<std::uint64_t>(value));
  }
  // Records why the values of this PE cannot work. The first problem counts.
  void object(std::string problem);
  // Returns the problem of this PE, or an empty text.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  // Collective. Returns nothing if all PEs agree and no PE objects. `maxima`: each number becomes
  // the largest of all PEs, in the same reduction.
  [[nodiscard]] std::optional<objection> reach(substrate& world,
                                               std::span<std::uint64_t> maxima = {}) const;

  // Collective. Throws argument_error on all PEs if `reach` finds an objection, with the
  // objection's `text`: a `disagreement` if no PE objects to its own values.
  void require(substrate& world, std::string_view subject, std::string_view owner,
               std::span<std::uint64_t> maxima = {}) const;

  // Agrees as `reach` over a substrate does, by any function that reduces as a substrate does.
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

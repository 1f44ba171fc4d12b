#include "substrate/agreement.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

// The separator ends each value in the concatenated values of a PE.
constexpr char separator = '\0';

// Removes the first value from concatenated values, and returns the first value.
std::string_view take_first(std::string_view& values) {
  const std::string_view first = values.substr(0, values.find(separator));
  values.remove_prefix(std::min(values.size(), first.size() + 1));
  return first;
}

void keep_largest(const agreement::reduction& reduce, std::span<std::uint64_t> numbers) {
  reduce(std::as_writable_bytes(numbers),
         [n = numbers.size()](std::byte* into, const std::byte* next) {
           for (std::size_t at = 0; at < n * sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
             std::uint64_t a;
             std::uint64_t b;
             std::memcpy(&a, into + at, sizeof a);
             std::memcpy(&b, next + at, sizeof b);
             a = std::max(a, b);
             std::memcpy(into + at, &a, sizeof a);
           }
         });
}

// A text of at most `most` bytes, and the rank of a PE with a text; the lowest rank wins.
class note {
 public:
  note(std::size_t most, int rank, const std::string& text) : bytes_(sizeof(head) + most) {
    const head h{text.empty() ? -1 : rank, static_cast<std::uint32_t>(text.size())};
    std::memcpy(bytes_.data(), &h, sizeof h);
    std::memcpy(bytes_.data() + sizeof h, text.data(), text.size());
  }
  void keep_first(const agreement::reduction& reduce) {
    reduce(bytes_, [n = bytes_.size()](std::byte* into, const std::byte* next) {
      if (head_of(into).pe < 0) std::memcpy(into, next, n);
    });
  }
  [[nodiscard]] int pe() const { return head_of(bytes_.data()).pe; }
  [[nodiscard]] std::string text() const {
    return {reinterpret_cast<const char*>(bytes_.data() + sizeof(head)),
            head_of(bytes_.data()).bytes};
  }

 private:
  struct head {
    std::int32_t pe;
    std::uint32_t bytes;
  };
  static head head_of(const std::byte* bytes) {
    head h;
    std::memcpy(&h, bytes, sizeof h);
    return h;
  }

  std::vector<std::byte> bytes_;
};

}  // namespace

std::string objection::text(const std::string& subject, const std::string& owner) const {
  const std::string number = std::to_string(pe);
  if (!problem.empty()) return subject + " on PE " + number + ": " + problem;
  return "the PEs disagree on " + owner + (on.empty() ? "" : " " + on) + ": PE 0 gives " + first +
         ", PE " + number + " gives " + its + "; give the same on all PEs";
}

void agreement::on(std::string_view name, std::string_view value) {
  names_.push_back(name);
  values_ += value;
  values_ += separator;
}

void agreement::on_number(std::string_view name, std::uint64_t value) {
  std::array<char, std::numeric_limits<std::uint64_t>::digits10 + 1> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  on(name, std::string_view(digits.data(), end));
}

void agreement::object(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
}

// The hash is FNV-1a with a last step that makes every bit depend on all bits.
std::uint64_t agreement::hash() const {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : values_) {
    h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  h = (h ^ h >> 31) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}

std::optional<objection> agreement::reach(substrate& world, std::span<std::uint64_t> maxima) const {
  return reach([&world](std::span<std::byte> value,
                        const combination& combine) { world.all_reduce(value, combine); },
               world.rank(), maxima);
}

void agreement::require(substrate& world, std::string_view subject, std::string_view owner,
                        std::span<std::uint64_t> maxima) const {
  if (const auto objection = reach(world, maxima)) {
    const std::string text = objection->text(std::string(subject), std::string(owner));
    if (objection->problem.empty()) throw disagreement(text);
    throw argument_error(text);
  }
}

std::optional<objection> agreement::reach(const reduction& reduce, int rank,
                                          std::span<std::uint64_t> maxima) const {
  enum : std::size_t { highest, lowest, longest_values, longest_problem, findings };
  std::vector<std::uint64_t> most(findings + maxima.size());
  most[highest] = hash();
  most[lowest] = ~most[highest];
  most[longest_values] = values_.size();
  most[longest_problem] = problem_.size();
  std::ranges::copy(maxima, most.begin() + findings);
  keep_largest(reduce, most);
  std::copy(most.begin() + findings, most.end(), maxima.begin());

  if (most[longest_problem] != 0) {
    note first(most[longest_problem], rank, problem_);
    first.keep_first(reduce);
    return objection{.pe = first.pe(), .problem = first.text(), .on = {}, .first = {}, .its = {}};
  }
  if (most[highest] == ~most[lowest]) return std::nullopt;

  note of_first(most[longest_values], rank, rank == 0 ? values_ : std::string());
  of_first.keep_first(reduce);
  const std::string theirs = of_first.text();
  // The index of the first value that differs on this PE, the value of PE 0, the value of this PE.
  std::string difference;
  std::string_view left_of_theirs = theirs;
  std::string_view left_of_mine = values_;
  for (std::size_t i = 0; i < names_.size() && difference.empty(); ++i) {
    const std::string_view value = take_first(left_of_theirs);
    const std::string_view own = take_first(left_of_mine);
    if (value == own) continue;
    difference = std::to_string(i).append(1, separator).append(value).append(1, separator);
    difference += own;
  }
  note differs(2 * most[longest_values] + 24, rank, difference);
  differs.keep_first(reduce);
  const std::string found = differs.text();
  const std::size_t end_of_number = found.find(separator);
  const std::size_t end_of_first = found.find(separator, end_of_number + 1);
  return objection{.pe = differs.pe(),
                   .problem = {},
                   .on = std::string(names_[std::stoul(found)]),
                   .first = found.substr(end_of_number + 1, end_of_first - end_of_number - 1),
                   .its = found.substr(end_of_first + 1)};
}

}  // namespace boxcar::detail

#include "substrate/agreement.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace boxcar::detail {
namespace {

// Between the values of a PE where they travel together.
constexpr char separator = '\0';

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

// A text of at most so many bytes, and the rank of the PE that has one; the lowest of those wins.
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

void agreement::on(std::string_view name, std::string value) {
  given_.emplace_back(name, std::move(value));
}

void agreement::object(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
}

// FNV-1a, and a last step by which every bit depends on all.
std::uint64_t agreement::hash() const {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : all_values()) {
    h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  h = (h ^ h >> 31) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}

std::string agreement::all_values() const {
  std::string all;
  for (const auto& [name, value] : given_) all += value + separator;
  return all;
}

std::optional<objection> agreement::reach(substrate& world, std::span<std::uint64_t> maxima) const {
  return reach([&world](std::span<std::byte> value,
                        const combination& combine) { world.all_reduce(value, combine); },
               world.rank(), maxima);
}

std::optional<objection> agreement::reach(const reduction& reduce, int rank,
                                          std::span<std::uint64_t> maxima) const {
  enum : std::size_t { highest, lowest, longest_values, longest_problem, findings };
  const std::string mine = all_values();
  std::vector<std::uint64_t> most(findings + maxima.size());
  most[highest] = hash();
  most[lowest] = ~hash();
  most[longest_values] = mine.size();
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

  note of_first(most[longest_values], rank, rank == 0 ? mine : std::string());
  of_first.keep_first(reduce);
  const std::string theirs = of_first.text();
  // Which value differs here, and what it is.
  std::string difference;
  std::size_t at = 0;
  for (std::size_t i = 0; i < given_.size() && difference.empty(); ++i) {
    const std::string value = theirs.substr(at, theirs.find(separator, at) - at);
    if (value != given_[i].second) {
      difference = std::to_string(i) + separator + value + separator + given_[i].second;
    }
    at += value.size() + 1;
  }
  note differs(2 * most[longest_values] + 24, rank, difference);
  differs.keep_first(reduce);
  const std::string found = differs.text();
  const std::size_t end_of_number = found.find(separator);
  const std::size_t end_of_first = found.find(separator, end_of_number + 1);
  return objection{.pe = differs.pe(),
                   .problem = {},
                   .on = given_[std::stoul(found)].first,
                   .first = found.substr(end_of_number + 1, end_of_first - end_of_number - 1),
                   .its = found.substr(end_of_first + 1)};
}

}  // namespace boxcar::detail

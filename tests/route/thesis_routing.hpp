// Routing as described in tram-thesis-2014 (section 3.3.1, Algorithms 1 to 4), written down a
// second time and independently of the library: by coordinates, line by line.
#pragma once

#include <utility>
#include <vector>

namespace boxcar::test {

class thesis_routing {
 public:
  using place = std::vector<int>;

  explicit thesis_routing(std::vector<int> sizes) : s_(std::move(sizes)) {}

  [[nodiscard]] int pes() const;
  [[nodiscard]] place place_of(int pe) const;
  [[nodiscard]] int pe_at(const place& p) const;

  // Equation 3.2.
  [[nodiscard]] int messages(const place& j, const place& k) const;
  // The next intermediate destination of an item for k that is at j; they differ.
  [[nodiscard]] place next_in_grid(const place& j, const place& k) const;
  [[nodiscard]] place next_for_team(const place& j, const place& k) const;
  [[nodiscard]] place next_for_specialised_team(const place& j, const place& k) const;

 private:
  // The results of Algorithm 2 for a PE.
  struct assignment {
    int T, o, b, r, a;
  };
  [[nodiscard]] int N() const { return static_cast<int>(s_.size()); }
  [[nodiscard]] int size(int d) const { return s_[static_cast<std::size_t>(d)]; }
  [[nodiscard]] int needed(const place& j, const place& k) const;
  [[nodiscard]] assignment algorithm_2(const place& j) const;
  [[nodiscard]] int algorithm_3(const place& k, const assignment& of_current) const;

  std::vector<int> s_;
};

}  // namespace boxcar::test

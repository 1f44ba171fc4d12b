#include "route/thesis_routing.hpp"

namespace boxcar::test {
namespace {

int& at(thesis_routing::place& p, int d) {
  return p[static_cast<std::size_t>(d)];
}
int at(const thesis_routing::place& p, int d) {
  return p[static_cast<std::size_t>(d)];
}

}  // namespace

int thesis_routing::pes() const {
  int product = 1;
  for (const int s : s_) product *= s;
  return product;
}

thesis_routing::place thesis_routing::place_of(int pe) const {
  place p(s_.size());
  for (int d = N() - 1; d >= 0; --d) {
    at(p, d) = pe % size(d);
    pe /= size(d);
  }
  return p;
}

int thesis_routing::pe_at(const place& p) const {
  int pe = 0;
  for (int d = 0; d < N(); ++d) pe = pe * size(d) + at(p, d);
  return pe;
}

int thesis_routing::messages(const place& j, const place& k) const {
  int sum = 0;
  for (int d = 0; d < N(); ++d) sum += at(j, d) == at(k, d) ? 0 : 1;
  return sum;
}

thesis_routing::place thesis_routing::next_in_grid(const place& j, const place& k) const {
  int i = 0;
  for (int x = 0; x < N(); ++x) {
    if (at(j, x) != at(k, x)) i = x;
  }
  place m = j;
  at(m, i) = at(k, i);
  return m;
}

int thesis_routing::needed(const place& j, const place& k) const {
  int i = N() - 1;
  for (int x = 0; x <= N() - 2; ++x) {
    if (at(j, x) != at(k, x)) i = x;
  }
  return i;
}

thesis_routing::place thesis_routing::next_for_team(const place& j, const place& k) const {
  const int T = size(N() - 1) / N();
  const int a = at(j, N() - 1) / T;
  const int i = needed(j, k);
  place m = j;
  if (i == a) {
    if (i == N() - 1) return k;
    at(m, i) = at(k, i);
    at(m, N() - 1) = i == 0 ? at(j, N() - 1) + (N() - 1) * T : at(j, N() - 1) - T;
    return m;
  }
  at(m, N() - 1) = at(j, N() - 1) + (i - a) * T;
  return m;
}

thesis_routing::assignment thesis_routing::algorithm_2(const place& j) const {
  const int T = size(N() - 1) / N();
  const int p = at(j, N() - 1) % T;
  const int a = at(j, N() - 1) / T;
  int b = 0;
  int r = 0;
  int d = 0;
  if (a < N()) {
    b = size(a) / T;
    r = size(a) - b * T;
    if (at(j, a) < r * (b + 1)) {
      d = at(j, a) / (b + 1);
    } else {
      d = r + (at(j, a) - r * (b + 1)) / b;
    }
  }
  const int o = a < N() - 1 ? d - p : 0;
  return {T, o, b, r, a};
}

int thesis_routing::algorithm_3(const place& k, const assignment& of_current) const {
  const auto [T, o, b, r, a] = of_current;
  if (at(k, a) < r * (b + 1)) return at(k, a) / (b + 1);
  return r + (at(k, a) - r * (b + 1)) / b;
}

thesis_routing::place thesis_routing::next_for_specialised_team(const place& j,
                                                                const place& k) const {
  const assignment mine = algorithm_2(j);
  const int i = needed(j, k);
  place m = j;
  if (i != mine.a) {
    at(m, N() - 1) = at(j, N() - 1) + (i - mine.a) * mine.T;
    return m;
  }
  const int q = algorithm_3(k, mine);
  const int p = at(j, N() - 1) % mine.T;
  if (q != p) {
    at(m, N() - 1) = at(j, N() - 1) + q - p;
    return m;
  }
  if (i == N() - 1) return k;
  at(m, i) = at(k, i);
  at(m, N() - 1) =
      (i == 0 ? at(j, N() - 1) + (N() - 1) * mine.T : at(j, N() - 1) - mine.T) + mine.o;
  return m;
}

}  // namespace boxcar::test

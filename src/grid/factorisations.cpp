#include "grid/factorisations.hpp"

#include <algorithm>

namespace boxcar::detail {
namespace {

class enumeration {
 public:
  enumeration(int number, int factors, int least,
              const std::function<void(const std::vector<int>&)>& visit)
      : divisors_(divisors(number)), factors_(factors), least_(least), visit_(visit) {}

  // Visits all sequences that begin with `chosen_`; `rest` is the product of the missing factors.
  void continue_with(int rest) {
    const int missing = factors_ - static_cast<int>(chosen_.size());
    if (missing == 1) {
      if (rest < least_) return;
      chosen_.push_back(rest);
      visit_(chosen_);
      chosen_.pop_back();
      return;
    }
    for (const int d : divisors_) {
      if (d > rest) break;
      if (d < least_ || rest % d != 0) continue;
      chosen_.push_back(d);
      continue_with(rest / d);
      chosen_.pop_back();
    }
  }

 private:
  std::vector<int> divisors_;
  int factors_;
  int least_;
  const std::function<void(const std::vector<int>&)>& visit_;
  std::vector<int> chosen_;
};

}  // namespace

std::vector<int> divisors(int number) {
  std::vector<int> small;
  std::vector<int> large;
  for (int d = 1; d <= number / d; ++d) {
    if (number % d != 0) continue;
    small.push_back(d);
    if (d != number / d) large.push_back(number / d);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

void for_each_factorisation(int number, int factors, int least,
                            const std::function<void(const std::vector<int>&)>& visit) {
  if (factors < 1) return;
  enumeration(number, factors, least, visit).continue_with(number);
}

}  // namespace boxcar::detail

// Divisors and factorisations of numbers.
#pragma once

#include <functional>
#include <vector>

namespace boxcar::detail {

// Returns all divisors of a number, ascending, with 1 and the number itself.
std::vector<int> divisors(int number);

// Calls `visit` with every sequence of `factors` factors, each at least `least`, whose product is
// the number. {2, 3} and {3, 2} are different sequences.
void for_each_factorisation(int number, int factors, int least,
                            const std::function<void(const std::vector<int>&)>& visit);

}  // namespace boxcar::detail

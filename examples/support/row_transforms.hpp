// The Fourier transforms of the rows of a matrix, by FFTW.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace examples {

enum class direction { forward, backward };

// A plan for the transforms of all rows of a matrix, in place and not scaled. Local.
class row_transforms {
 public:
  // The matrix has rows of `length` elements, and stays where it is for as long as the plan is
  // used. Preconditions: `length` divides the size of the matrix, and is below 2^31, as is the
  // number of rows. Throws std::runtime_error if FFTW has no plan.
  row_transforms(std::vector<std::complex<double>>& matrix, std::size_t length, direction towards);

  void execute() const;

 private:
  struct plan_deleter {
    void operator()(void* plan) const;
  };
  std::unique_ptr<void, plan_deleter> plan_;  // null: no rows
};

}  // namespace examples

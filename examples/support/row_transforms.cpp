#include "support/row_transforms.hpp"

#include <fftw3.h>
#include <mutex>
#include <stdexcept>
#include <string>

namespace examples {
namespace {

// Only `fftw_execute` may be called by several threads at once, and PEs may be threads.
std::mutex& planner() {
  static std::mutex one;
  return one;
}

}  // namespace

row_transforms::row_transforms(std::vector<std::complex<double>>& matrix, std::size_t length,
                               direction towards) {
  if (matrix.empty()) return;
  const int size = static_cast<int>(length);
  const int rows = static_cast<int>(matrix.size() / length);
  // The layout of std::complex<double> is that of fftw_complex, as FFTW's manual says.
  auto* data = reinterpret_cast<fftw_complex*>(matrix.data());
  const int sign = towards == direction::forward ? FFTW_FORWARD : FFTW_BACKWARD;
  const std::lock_guard<std::mutex> lock(planner());
  plan_.reset(fftw_plan_many_dft(1, &size, rows, data, nullptr, 1, size, data, nullptr, 1, size,
                                 sign, FFTW_ESTIMATE));
  if (plan_ == nullptr) {
    throw std::runtime_error("FFTW has no plan for " + std::to_string(rows) + " rows of " +
                             std::to_string(length) + " elements");
  }
}

void row_transforms::execute() const {
  if (plan_ != nullptr) fftw_execute(static_cast<fftw_plan>(plan_.get()));
}

void row_transforms::plan_deleter::operator()(void* plan) const {
  const std::lock_guard<std::mutex> lock(planner());
  fftw_destroy_plan(static_cast<fftw_plan>(plan));
}

}  // namespace examples

// The positions of numbers along an axis, and the ticks of the axis.
#pragma once

#include <vector>

namespace boxcar::bench {

class scale {
 public:
  // A scale from `least` to `most`, in equal steps.
  [[nodiscard]] static scale linear(double least, double most);
  // Logarithmic scales around the range from `least` to `most`, which are positive. By tens:
  // between two of 1, 2, 5, 10, 20 and so on. By twos: between two powers of two.
  [[nodiscard]] static scale by_tens(double least, double most);
  [[nodiscard]] static scale by_twos(double least, double most);

  // 0 at the begin of the axis, 1 at its end.
  [[nodiscard]] double at(double value) const;
  // The ticks, in order, and no more than have room.
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

 private:
  scale(bool logarithmic, double least, double most, std::vector<double> ticks);
  [[nodiscard]] double measure(double value) const;

  bool logarithmic_;
  double least_;
  double most_;
  std::vector<double> ticks_;
};

}  // namespace boxcar::bench

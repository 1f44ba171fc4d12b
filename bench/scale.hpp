// Where numbers lie along an axis, and which of them are written there.
#pragma once

#include <vector>

namespace boxcar::bench {

class scale {
 public:
  // From `least` to `most`, in equal steps.
  [[nodiscard]] static scale linear(double least, double most);
  // Logarithmic, around what lies between these two, which are more than 0. By tens: from one to
  // another of 1, 2, 5, 10, 20 and so on. By twos: from one power of two to another.
  [[nodiscard]] static scale by_tens(double least, double most);
  [[nodiscard]] static scale by_twos(double least, double most);

  // 0 where the axis begins, 1 where it ends.
  [[nodiscard]] double at(double value) const;
  // In order, and no more than have room.
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

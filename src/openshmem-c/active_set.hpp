// An active set: evenly spaced PEs of the program, the PEs of a team or of a collective.
#pragma once

namespace boxcar::openshmem_c {

struct active_set {
  int start = 0;
  int stride = 1;  // not 0 if there are several PEs
  int size = 1;

  [[nodiscard]] int pe(int index) const { return start + stride * index; }
  // Returns the number of the PE in the set; -1 if the PE is not in the set.
  [[nodiscard]] int index_of(int pe) const {
    if (pe == start) return 0;
    if (stride == 0 || (pe - start) % stride != 0) return -1;
    const int index = (pe - start) / stride;
    return index >= 0 && index < size ? index : -1;
  }
  // Returns every `step`th of the PEs from PE `first` of the set on, `count` PEs in all.
  [[nodiscard]] active_set subset(int first, int step, int count) const {
    return {pe(first), stride * step, count};
  }
  // Returns whether the set has the PEs first, first + step, and so on.
  [[nodiscard]] bool has(int first, int step, int count) const {
    if (first < 0 || first >= size || count < 1 || count > size) return false;
    if (count == 1) return true;
    const long last = first + static_cast<long>(step) * (count - 1);
    return step != 0 && last >= 0 && last < size;
  }
};

}  // namespace boxcar::openshmem_c

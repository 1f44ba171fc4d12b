// The functions of distributed arrays that do not depend on the type of the elements: the checks
// of sizes and indices, and their errors.
#include <algorithm>

#include <boxcar/distributed_array.hpp>

namespace boxcar::detail {

void refuse_index(const char* function, std::size_t index, std::size_t size) {
  throw argument_error(std::string(function) + ": index " + std::to_string(index) +
                       " of a distributed_array of " + std::to_string(size) +
                       " elements: give 0 to size() - 1");
}

void refuse_visitor() {
  throw argument_error(
      "tell: the visitor belongs to another distributed_array: name it by the function `visitor` "
      "of this one");
}

std::string problem_of_array(const element_placement& placement, std::size_t element_bytes) {
  constexpr std::uint64_t max_bytes = std::uint64_t{1} << 62;
  const std::uint64_t largest = placement.largest_local_size();
  if (largest <= element_placement::max_local_size && largest <= max_bytes / element_bytes) {
    return "";
  }
  return "the size is " + std::to_string(placement.size()) + ", so that a PE has " +
         std::to_string(largest) + " elements of " + std::to_string(element_bytes) +
         " bytes: give a smaller size (a PE has 2^40 elements at most; was a negative number "
         "given?)";
}

std::string problem_of_batch(std::span<const std::size_t> indices, std::size_t values,
                             std::size_t size) {
  if (values != indices.size()) {
    return "there are " + std::to_string(indices.size()) + " indices and " +
           std::to_string(values) + " values: give a value for each index";
  }
  const auto outside = std::ranges::find_if(indices, [size](std::size_t i) { return i >= size; });
  if (outside == indices.end()) return "";
  return "index " + std::to_string(*outside) + ", number " +
         std::to_string(outside - indices.begin()) + " of the batch, is outside of an array of " +
         std::to_string(size) + " elements: give 0 to size() - 1";
}

}  // namespace boxcar::detail

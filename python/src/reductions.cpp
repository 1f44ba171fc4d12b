#include "reductions.hpp"

#include <span>

#include "operation.hpp"

namespace boxcar::python {

namespace {

// Calls `use(elements, combine)`.
template <typename Use>
void with_combination(std::string_view operation, std::string_view type,
                      const written_bytes& values, const Use& use) {
  with_operation(operation, [&]<typename Operation>(Operation) {
    with_number_type(type, [&]<typename T>(T) {
      if constexpr (Operation::template allows<T>) {
        use(elements_of<T>(values), [](T a, T b) { return Operation::apply(a, b); });
      } else {
        refuse_operation(operation, type);
      }
    });
  });
}

}  // namespace

void reduce_array(world& w, std::string_view operation, std::string_view type,
                  const written_bytes& values) {
  with_combination(operation, type, values,
                   [&](auto all, const auto& combine) { w.reduce(all, combine); });
}

void scan_array(world& w, std::string_view operation, std::string_view type,
                const written_bytes& values) {
  with_combination(operation, type, values,
                   [&](auto all, const auto& combine) { w.scan(all, combine); });
}

void exclusive_scan_array(world& w, std::string_view operation, std::string_view type,
                          const written_bytes& values, const read_bytes& first) {
  with_combination(operation, type, values, [&]<typename T>(std::span<T> all, const auto& combine) {
    w.exclusive_scan(all, elements_of<T>(first).front(), combine);
  });
}

}  // namespace boxcar::python

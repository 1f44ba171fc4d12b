#include "windows.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <optional>
#include <string>
#include <string_view>

#include <boxcar/detail/window_core.hpp>

#include "arrays.hpp"
#include "counters.hpp"
#include "memory_array.hpp"
#include "pe.hpp"

namespace boxcar::python {
namespace {

using boxcar::detail::atomic_operation;

atomic_operation operation_named(std::string_view name) {
  if (name == "load") return atomic_operation::load;
  if (name == "store") return atomic_operation::store;
  if (name == "add" || name == "fetch_add") return atomic_operation::add;
  if (name == "fetch_or") return atomic_operation::fetch_or;
  if (name == "swap") return atomic_operation::swap;
  if (name == "compare_swap") return atomic_operation::compare_swap;
  throw argument_error("there is no atomic operation " + std::string(name));
}

// A window of elements of any type of a given size, on which all PEs have agreed.
class byte_window {
 public:
  byte_window(pe& here, std::size_t elements, std::size_t element_bytes)
      : bytes_(element_bytes), core_(here.here(), {element_bytes, 1, {}}, {.elements = elements}) {}

  [[nodiscard]] memory_array local() const { return array_of(core_.mine()); }
  [[nodiscard]] memory_array direct(int pe) const { return array_of(core_.part_of(pe, "direct")); }
  [[nodiscard]] std::size_t size(int pe) const { return core_.size(pe); }

  void put(const read_bytes& values, int pe, std::size_t at, std::size_t stride,
           const waited_counter* counting) {
    core_.put({pe, at, values.size() / bytes_, stride}, values.data(), 1, counting);
  }
  void get(const written_bytes& into, int pe, std::size_t at, std::size_t stride, bool waits) {
    core_.get({pe, at, into.size() / bytes_, stride}, into.data(), 1, waits);
  }

  // Updates a number given as its bytes; returns the old element, unless the operation does not
  // wait.
  nb::bytes update(std::string_view name, int pe, std::size_t at, nb::bytes value,
                   nb::bytes expected) {
    const atomic_operation what = operation_named(name);
    const bool waits = name != "add" && name != "store";
    const word by = word_of(value);
    const word wanted = word_of(expected);
    word before{};
    {
      const nb::gil_scoped_release release;
      core_.update(pe, at, {what, by.data(), wanted.data(), waits ? before.data() : nullptr});
    }
    return nb::bytes(before.data(), waits ? bytes_ : 0);
  }

  void fence() { core_.fence(); }
  void flush(std::optional<int> pe) { pe ? core_.flush(*pe) : core_.flush_all(); }

 private:
  using word = std::array<std::byte, 8>;

  [[nodiscard]] memory_array array_of(const boxcar::detail::window_part& part) const {
    return array_of_memory(part.data, part.elements * bytes_, core_.memory());
  }
  static word word_of(const nb::bytes& number) {
    word w{};
    std::memcpy(w.data(), number.data(), std::min(number.size(), w.size()));
    return w;
  }

  std::size_t bytes_;
  boxcar::detail::window_core core_;
};

}  // namespace

void define_windows(nb::module_& m) {
  using without_lock = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<byte_window>(m, "Window")
      .def(nb::init<pe&, std::size_t, std::size_t>(), without_lock())
      .def("local", &byte_window::local)
      .def("direct", &byte_window::direct)
      .def("size", &byte_window::size, without_lock())
      .def("put", &byte_window::put, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
           without_lock())
      .def("get", &byte_window::get, without_lock())
      .def("update", &byte_window::update)
      .def("fence", &byte_window::fence)
      .def("flush", &byte_window::flush, nb::arg().none(), without_lock());
}

}  // namespace boxcar::python

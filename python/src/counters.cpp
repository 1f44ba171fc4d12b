#include "counters.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include "waiting.hpp"

namespace boxcar::python {

namespace nb = nanobind;

waited_counter::waited_counter(pe& here, std::string_view what)
    : counter(here.here(), {.what = what == "bytes" ? counts::bytes : counts::messages}),
      world_(here.here().substrate()) {}

bool waited_counter::test_now(std::int64_t at_least) const {
  return is_there_by_now(*world_, [&] { return value() >= at_least; });
}

bool waited_counter::wait_in_turns(std::int64_t at_least, std::optional<double> seconds) const {
  return python::wait_in_turns(*world_, "wait for a counter", seconds,
                               [&] { return value() >= at_least; });
}

void define_counters(nb::module_& m) {
  using without_lock = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<waited_counter>(m, "Counter")
      .def(nb::init<pe&, std::string_view>(), without_lock())
      .def("value", [](const waited_counter& c) { return c.value(); })
      .def("set", [](waited_counter& c, std::int64_t value) { c.set(value); })
      .def(
          "add", [](waited_counter& c, int pe, std::int64_t n) { c.add(pe, n); }, without_lock())
      .def("test", &waited_counter::test_now)
      .def("wait", &waited_counter::wait_in_turns, nb::arg(), nb::arg().none());
}

}  // namespace boxcar::python

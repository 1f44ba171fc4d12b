#include "collective_runs.hpp"

#include <concepts>
#include <functional>
#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <boxcar/collective_run.hpp>

#include "arrays.hpp"
#include "operation.hpp"
#include "pe.hpp"
#include "waiting.hpp"

namespace boxcar::python {
namespace {

using boxcar::detail::collective_operation;
using boxcar::detail::combination_by;
using boxcar::detail::combination_of_elements;

collective_operation operation_named(std::string_view name) {
  if (name == "barrier") return collective_operation::barrier;
  if (name == "broadcast") return collective_operation::broadcast;
  if (name == "reduce") return collective_operation::reduce;
  if (name == "all_reduce") return collective_operation::all_reduce;
  if (name == "reduce_scatter") return collective_operation::reduce_scatter;
  if (name == "scatter") return collective_operation::scatter;
  if (name == "gather") return collective_operation::gather;
  if (name == "all_gather") return collective_operation::all_gather;
  if (name == "all_to_all") return collective_operation::all_to_all;
  if (name == "scan") return collective_operation::scan;
  if (name == "exclusive_scan") return collective_operation::exclusive_scan;
  throw argument_error("there is no collective " + std::string(name));
}

// The identity of the element type; `form` is the same text on PEs with elements of the same dtype
// and shape.
boxcar::detail::type_identity identity_of(const std::string& form) {
  static std::set<std::string> forms;  // for ever, as names of types are
  const std::string& known = *forms.insert(form).first;
  return {std::hash<std::string_view>()(known) | 1, known};
}

// The adapter can execute an operation on numbers by itself, if the library knows the operation.
template <typename Operation, typename T>
combination_of_elements combination_as() {
  constexpr bool is_integer = std::integral<T> && !std::same_as<T, bool>;
  if constexpr (std::same_as<Operation, add> && (is_integer || std::floating_point<T>)) {
    return combination_by<T>(std::plus<T>());
  } else if constexpr (std::same_as<Operation, smaller> && is_integer) {
    return combination_by<T>(minimum());
  } else if constexpr (std::same_as<Operation, larger> && is_integer) {
    return combination_by<T>(maximum());
  } else if constexpr (std::same_as<Operation, either> && is_integer) {
    return combination_by<T>(std::bit_or<T>());
  } else if constexpr (std::same_as<Operation, both> && is_integer) {
    return combination_by<T>(std::bit_and<T>());
  } else if constexpr (std::same_as<Operation, differing> && is_integer) {
    return combination_by<T>(std::bit_xor<T>());
  } else {
    return combination_by<T>([](const T& a, const T& b) { return Operation::apply(a, b); });
  }
}

combination_of_elements combination_named(std::string_view operation, std::string_view type) {
  return with_operation(operation, [&]<typename Operation>(Operation) {
    return with_number_type(type, [&]<typename T>(T) -> combination_of_elements {
      if constexpr (Operation::template allows<T>) {
        return combination_as<Operation, T>();
      } else {
        refuse_operation(operation, type);
      }
    });
  });
}

// A run started by the PE, and the array of its result.
class started_run {
 public:
  // `operation` is empty if nothing is combined.
  started_run(pe& here, std::string_view kind, const read_bytes& in, written_bytes out,
              const std::string& form, std::size_t element_bytes, std::string_view operation,
              std::string_view type, int root, const read_bytes& first)
      : world_(here.here().substrate()), out_(std::move(out)) {
    boxcar::detail::collective_start what{
        .kind = operation_named(kind),
        .in = std::as_bytes(std::span(in.data(), in.size())),
        .out = std::as_writable_bytes(std::span(out_.data(), out_.size())),
        .type = identity_of(form),
        .how = {.element_bytes = element_bytes},
        .root = root,
        .first = std::as_bytes(std::span(first.data(), first.size()))};
    if (!operation.empty()) what.how = combination_named(operation, type);
    const nb::gil_scoped_release release;
    run_ =
        std::make_unique<collective_run>(boxcar::detail::start(here.here(), std::move(what), {}));
  }
  started_run(const started_run&) = delete;
  started_run& operator=(const started_run&) = delete;
  // If another thread destroys the run, the garbage collector's for instance, no part of it may be
  // touched: the run leaks, with the array.
  ~started_run() {
    if (std::this_thread::get_id() == thread_) return;
    static_cast<void>(run_.release());
    static_cast<void>(new written_bytes(std::move(out_)));
  }

  [[nodiscard]] bool test() {
    return is_there_by_now(*world_, [this] { return run_->test(); });
  }
  [[nodiscard]] bool wait(std::optional<double> seconds) {
    return wait_in_turns(*world_, "wait for a collective", seconds,
                         [this] { return run_->test(); });
  }
  [[nodiscard]] std::string explain() const { return run_->explain(); }

 private:
  std::thread::id thread_ = std::this_thread::get_id();
  std::shared_ptr<boxcar::detail::substrate> world_;
  written_bytes out_;
  std::unique_ptr<collective_run> run_;  // destroyed before the array
};

}  // namespace

void define_collective_runs(nb::module_& m) {
  nb::class_<started_run>(m, "CollectiveRun")
      .def(nb::init<pe&, std::string_view, const read_bytes&, written_bytes, const std::string&,
                    std::size_t, std::string_view, std::string_view, int, const read_bytes&>())
      .def("test", &started_run::test)
      .def("wait", &started_run::wait, nb::arg().none())
      .def("explain", &started_run::explain, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace boxcar::python

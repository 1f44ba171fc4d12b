#include "append_buffers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <optional>
#include <span>
#include <utility>

#include <boxcar/append_buffer.hpp>
#include <boxcar/detail/append_core.hpp>
#include <boxcar/detail/conveyor_core.hpp>

#include "arrays.hpp"
#include "memory_array.hpp"
#include "pe.hpp"
#include "quietly.hpp"
#include "waiting.hpp"

namespace boxcar::python {
namespace {

using boxcar::detail::append_core;

// Rows in flight to the buffers of other PEs by a conveyor, as boxcar::append_buffer has elements
// of one type.
class aggregated_rows {
 public:
  aggregated_rows(const world& w, std::size_t row_bytes)
      : bytes_(row_bytes), conveyor_(w, row_bytes, {}) {
    begin();
  }

  void push(const std::byte* row, int pe, append_core& into) {
    while (!conveyor_.push(row, bytes_, pe)) {
      conveyor_.advance(false);
      take(into);
    }
  }
  // Collective: all have arrived.
  void complete(append_core& into) {
    while (conveyor_.advance(true)) take(into);
    conveyor_.reset();  // may throw, unlike the end of the session here
    session_.reset();
  }
  // Collective.
  void begin() {
    conveyor_.begin(bytes_);
    session_.emplace(conveyor_, boxcar::detail::stays_in_place{});
  }

 private:
  void take(append_core& into) {
    const std::size_t before = into.reserved();
    const std::size_t room = into.capacity_here() - before;
    std::byte* const first = into.data() + before * bytes_;
    std::size_t arrived = 0;
    conveyor_.pull_all(bytes_, [&](const std::byte* row, int) {
      if (arrived < room) std::memcpy(first + arrived * bytes_, row, bytes_);
      ++arrived;
    });
    const std::size_t written = std::min(arrived, room);
    into.note_written(written, arrived - written);
  }

  std::size_t bytes_;
  boxcar::detail::conveyor_core conveyor_;
  std::optional<session> session_;
};

// An append buffer of elements of any type of a given size, on which all PEs have agreed.
class byte_buffer {
 public:
  byte_buffer(pe& here, std::size_t capacity, std::size_t element_bytes, bool truncate,
              bool in_rounds, bool aggregate)
      : bytes_(element_bytes),
        world_(here.here().substrate()),
        core_(here.here(), {element_bytes, 1, {}}, {.elements = capacity},
              {.full = truncate ? when_full::truncate : when_full::refuse,
               .in_rounds = in_rounds,
               .aggregate = aggregate}) {
    if (aggregate) aggregated_ = std::make_unique<aggregated_rows>(here.here(), element_bytes);
  }
  byte_buffer(const byte_buffer&) = delete;
  byte_buffer& operator=(const byte_buffer&) = delete;
  // The destructor releases an open session without closing it, as the end would need all PEs.
  ~byte_buffer() { static_cast<void>(aggregated_.release()); }

  std::size_t push(const read_bytes& values, int pe, bool waits) {
    const std::size_t n = values.size() / bytes_;
    if (aggregated_ != nullptr) {
      for (std::size_t i = 0; i < n; ++i) aggregated_->push(row(values, i), pe, core_);
      return n;
    }
    if (waits) return core_.push(values.data(), n, pe);
    core_.push_nbi(values.data(), n, pe);
    return n;
  }
  // Precondition: the buffer aggregates.
  void push_each(const read_bytes& values, const read_bytes& to) {
    const std::span<const std::int32_t> pes = elements_of<std::int32_t>(to);
    for (std::size_t i = 0; i < pes.size(); ++i) aggregated_->push(row(values, i), pes[i], core_);
  }
  void flush(std::optional<int> pe) { pe ? core_.flush(*pe) : core_.flush_all(); }
  void finish() {
    if (aggregated_ == nullptr) return core_.finish();
    aggregated_->complete(core_);
    aggregated_->begin();
  }
  // Precondition: the buffer aggregates. Collective. Completes all pushes; no more may follow.
  void complete() {
    if (aggregated_ == nullptr) return;
    aggregated_->complete(core_);
    aggregated_.reset();
  }
  // Abandons the session after an exception, without the other PEs, who get an error as the world
  // fails.
  void abandon() {
    quietly([this] { aggregated_.reset(); });
  }

  [[nodiscard]] memory_array arrived() const {
    return array_of_memory(core_.data(), core_.readable() * bytes_, core_.memory());
  }
  [[nodiscard]] std::size_t reserved() const { return core_.reserved(); }
  [[nodiscard]] std::size_t completed() const { return core_.completed(); }
  [[nodiscard]] std::pair<std::size_t, std::size_t> counts() const {
    const auto [completed, reserved] = core_.counts();
    return {completed, reserved};
  }
  [[nodiscard]] std::size_t messages() const { return core_.messages(); }
  [[nodiscard]] std::size_t refused() const { return core_.refused(); }
  [[nodiscard]] std::size_t capacity(int pe) const { return core_.capacity(pe); }

  [[nodiscard]] bool test(std::size_t elements, std::size_t messages) const {
    return is_there_by_now(*world_, [&] { return has(elements, messages); });
  }
  [[nodiscard]] bool wait(std::size_t elements, std::size_t messages,
                          std::optional<double> seconds) const {
    return wait_in_turns(*world_, "wait for an append buffer", seconds,
                         [&] { return has(elements, messages); });
  }
  void reset() { core_.reset(); }

 private:
  [[nodiscard]] const std::byte* row(const read_bytes& values, std::size_t i) const {
    return reinterpret_cast<const std::byte*>(values.data()) + i * bytes_;
  }
  // Returns whether the number of elements, and the elements of the number of pushes, can be read.
  [[nodiscard]] bool has(std::size_t elements, std::size_t messages) const {
    if (core_.messages() < messages) return false;
    // The elements of these pushes have places by now.
    const std::size_t theirs = messages == 0 ? 0 : core_.reserved();
    return core_.readable() >= std::max(elements, theirs);
  }

  std::size_t bytes_;
  std::shared_ptr<boxcar::detail::substrate> world_;
  append_core core_;
  std::unique_ptr<aggregated_rows> aggregated_;
};

}  // namespace

void define_append_buffers(nb::module_& m) {
  using without_lock = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<byte_buffer>(m, "AppendBuffer")
      .def(nb::init<pe&, std::size_t, std::size_t, bool, bool, bool>(), without_lock())
      .def("push", &byte_buffer::push, without_lock())
      .def("push_each", &byte_buffer::push_each, without_lock())
      .def("flush", &byte_buffer::flush, nb::arg().none(), without_lock())
      .def("finish", &byte_buffer::finish, without_lock())
      .def("complete", &byte_buffer::complete, without_lock())
      .def("abandon", &byte_buffer::abandon, without_lock())
      .def("arrived", &byte_buffer::arrived)
      .def("reserved", &byte_buffer::reserved)
      .def("completed", &byte_buffer::completed)
      .def("counts", &byte_buffer::counts)
      .def("messages", &byte_buffer::messages)
      .def("refused", &byte_buffer::refused)
      .def("capacity", &byte_buffer::capacity, without_lock())
      .def("test", &byte_buffer::test)
      .def("wait", &byte_buffer::wait, nb::arg(), nb::arg(), nb::arg().none())
      .def("reset", &byte_buffer::reset);
}

}  // namespace boxcar::python

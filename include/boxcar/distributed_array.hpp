// A distributed array is an array whose elements are spread evenly over all PEs. Any PE reads and
// writes any element by its index: by itself, in batches of all PEs, or by functions that run where
// the element is. docs/arrays-and-bags.md explains arrays with examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/detail/collection_streams.hpp>
#include <boxcar/detail/element_placement.hpp>
#include <boxcar/detail/element_visitor.hpp>
#include <boxcar/detail/element_visits.hpp>
#include <boxcar/detail/movable_part.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/detail/serial_number.hpp>
#include <boxcar/detail/shared_file.hpp>
#include <boxcar/distributed_array_options.hpp>
#include <boxcar/error.hpp>
#include <boxcar/exchange.hpp>
#include <boxcar/session.hpp>
#include <boxcar/termination.hpp>
#include <boxcar/window.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

namespace detail {

// Throws argument_error: the index is outside of an array of `size` elements.
[[noreturn]] void refuse_index(const char* function, std::size_t index, std::size_t size);
// Returns why an array of the size cannot be, or an empty text.
[[nodiscard]] std::string problem_of_array(const element_placement& placement,
                                           std::size_t element_bytes);
// Returns why a batch cannot work, or an empty text. `values`: the number of values that go with
// the indices.
[[nodiscard]] std::string problem_of_batch(std::span<const std::size_t> indices, std::size_t values,
                                           std::size_t size);
[[noreturn]] void refuse_visitor();

}  // namespace detail

// A visitor of an array: the number of a function (T&, A...). Visitors belong to one array.
template <typename Arguments>
class array_visitor;
template <typename... A>
class array_visitor<std::tuple<A...>> {
 public:
  // `owner`: the serial number of the array.
  array_visitor(std::uint8_t number, std::uint64_t owner) : owner_(owner), number_(number) {}
  [[nodiscard]] std::uint8_t number() const { return number_; }
  [[nodiscard]] bool belongs_to(std::uint64_t owner) const { return owner_ == owner; }

 private:
  std::uint64_t owner_;
  std::uint8_t number_;
};

// The end of a distributed array on one PE. Elements are plain, begin as zeros, and are numbered
// from 0. By default each PE has a block of consecutive indices; the blocks differ by one element
// at most.
//
// Three kinds of access:
// - one-sided: `get`, `put` and atomic operations on one element, as of windows
//   (boxcar/window.hpp), in and out of sessions; on elements of other nodes not from within a
//   handler or visitor, where a PE may not wait. Best for few elements, and elements of the same
//   node.
// - batches: `gather`, `scatter`, `ask`. Collective: each PE gives any number of indices, or none.
// - visits: `tell` sends a call of a visitor to an element, in a session. Best for many elements.
//
// Visitors, and the functions of `ask`, run on the PE that owns the element, one after the other,
// with ordinary accesses. A one-sided access of another PE to the same element at the same time is
// a data race: a collective separates the two.
//
// Thread safety: an array belongs to one thread. Errors: a function throws argument_error, with no
// effect, if an index is outside of the array; batches throw on all PEs. Every function throws
// world_error if another PE has failed.
template <typename T>
class distributed_array {
  static_assert((detail::require_plain<T>(), true));
  static_assert(std::default_initializable<T>, "elements of an array must have a default");

 public:
  using value_type = T;

  // Collective. Throws argument_error on all PEs if the arguments differ between PEs, or if there
  // are too many elements; system_error if there is not enough memory.
  distributed_array(const world& w, std::size_t size, const distributed_array_options& options = {})
      : world_(world::another_handle_of(w.substrate())),
        options_(options),
        placement_(options.layout, size, w.size(), w.rank()),
        window_(agreed(w, placement_, options), placement_.local_size()),
        local_(window_.local()),
        visits_("distributed_array", std::make_unique<detail::element_visits>()) {}

  // Movable, also during a session (the session moves with the array). A moved-from array may only
  // be destroyed or assigned to.
  distributed_array(distributed_array&&) noexcept = default;
  distributed_array& operator=(distributed_array&&) noexcept = default;

  // --- Placement; local -------------------------------------------------------------------------
  [[nodiscard]] std::size_t size() const { return placement_.size(); }
  [[nodiscard]] array_layout layout() const { return options_.layout; }
  // Returns the elements of the PE, in the order of their indices.
  [[nodiscard]] std::span<T> local() { return local_; }
  [[nodiscard]] std::span<const T> local() const { return local_; }
  // Returns the index of an element of the PE, by the position in `local()`.
  [[nodiscard]] std::size_t index_of(std::size_t position) const {
    if (position >= local_.size()) [[unlikely]]
      detail::refuse_index("index_of (of this PE's part)", position, local_.size());
    return placement_.index_of(position);
  }
  // Returns the PE that has an element, and the position of the element in `local()` there.
  [[nodiscard]] int owner(std::size_t index) const { return find("owner", index).pe; }
  [[nodiscard]] std::size_t local_index(std::size_t index) const {
    return find("local_index", index).offset;
  }

  // --- One-sided; local -------------------------------------------------------------------------
  // As of windows. A put has arrived after a `flush`.
  [[nodiscard]] T get(std::size_t index) {
    const auto at = find("get", index);
    return window_.get(at.pe, at.offset);
  }
  void put(std::size_t index, const T& value) {
    const auto at = find("put", index);
    window_.put(value, at.pe, at.offset);
  }
  // Atomic operations on elements of 1, 2, 4 or 8 bytes; `add`, `fetch_add` and `fetch_or` on
  // integers. Each returns the former element, except `add` and `store`, which do not wait.
  void add(std::size_t index, T value)
    requires detail::atomic_number<T>
  {
    const auto at = find("add", index);
    window_.add(value, at.pe, at.offset);
  }
  T fetch_add(std::size_t index, T value)
    requires detail::atomic_number<T>
  {
    const auto at = find("fetch_add", index);
    return window_.fetch_add(value, at.pe, at.offset);
  }
  T fetch_or(std::size_t index, T value)
    requires detail::atomic_number<T>
  {
    const auto at = find("fetch_or", index);
    return window_.fetch_or(value, at.pe, at.offset);
  }
  T swap(std::size_t index, T value)
    requires detail::atomic_element<T>
  {
    const auto at = find("swap", index);
    return window_.swap(value, at.pe, at.offset);
  }
  // `value` replaces the element if the element equals `expected`.
  T compare_swap(std::size_t index, T expected, T value)
    requires detail::atomic_element<T>
  {
    const auto at = find("compare_swap", index);
    return window_.compare_swap(expected, value, at.pe, at.offset);
  }
  [[nodiscard]] T load(std::size_t index)
    requires detail::atomic_element<T>
  {
    const auto at = find("load", index);
    return window_.load(at.pe, at.offset);
  }
  void store(std::size_t index, T value)
    requires detail::atomic_element<T>
  {
    const auto at = find("store", index);
    window_.store(value, at.pe, at.offset);
  }
  // Each target sees earlier puts of the PE before later puts.
  void fence() { window_.fence(); }
  // Returns when puts of the PE are there.
  void flush_puts() { window_.flush(); }

  // --- Batches; collective ----------------------------------------------------------------------
  // Returns the elements with the indices, in the order of the indices.
  [[nodiscard]] std::vector<T> gather(std::span<const std::size_t> indices,
                                      const conveyor_options& options = {}) {
    return look_up(
        "gather", indices, [](const T& element) { return element; }, options);
  }
  // Writes each value to the element with its index. Of several values for an element any one
  // remains.
  void scatter(std::span<const std::size_t> indices,
               std::type_identity_t<std::span<const T>> values,
               const conveyor_options& options = {}) {
    agree("scatter", detail::problem_of_batch(indices, values.size(), size()), "scatter");
    scatter_from(
        indices.size(), [&](std::size_t i) { return indices[i]; },
        [&](std::size_t i) { return values[i]; }, options);
  }
  // Calls `function(element)` for the element with each index, where the element is, and returns
  // the results in the order of the indices. `function` has no captures, and may change the
  // element.
  template <typename F>
  [[nodiscard]] auto ask(std::span<const std::size_t> indices, F function,
                         const conveyor_options& options = {}) {
    static_assert(detail::captureless<F>,
                  "the function of `ask` is called on other PEs, where its captures mean nothing: "
                  "give a lambda without captures, and an argument for each index");
    if constexpr (detail::captureless<F>) return look_up("ask", indices, function, options);
  }
  // As above, by `function(element, argument)`: an argument goes with each index.
  template <typename F, std::ranges::contiguous_range Arguments>
  [[nodiscard]] auto ask(std::span<const std::size_t> indices, F function,
                         const Arguments& arguments, const conveyor_options& options = {}) {
    static_assert(detail::captureless<F>,
                  "the function of `ask` is called on other PEs, where its captures mean nothing: "
                  "give a lambda without captures, and an argument for each index");
    if constexpr (detail::captureless<F>) {
      using argument = std::ranges::range_value_t<Arguments>;
      return look_up_with(indices, function, std::span<const argument>(arguments), options);
    }
  }

  // --- Visits -----------------------------------------------------------------------------------
  // Local; called by all PEs in the same order, without a session. Names a function without
  // captures that `tell` calls: (T&, arguments...). The arguments are plain values.
  template <typename F>
  auto visitor(F function) {
    static_cast<void>(function);
    if constexpr (detail::requires_visitor<T, F>()) {
      using arguments =
          typename detail::visit_arguments<typename detail::call_signature<F>::parameters>::type;
      using message = typename detail::visit_message_of<arguments>::type;
      static_assert(detail::requires_item<message>);
      const std::uint8_t number =
          visits_->add(detail::kind_of_visits<T, F, message>(local_.data()));
      return array_visitor<arguments>(number, serial_.value());
    }
  }
  // Collective. Starts a session, as stream::begin.
  session begin(const termination& ending = quiescence()) {
    return visits_->begin(world_, options_.stream, ending);
  }
  // Local. Legal in a session, also in a handler of a stream. Calls the visitor for the element,
  // where the element is. Visits of a PE to an element take place in the order of the calls. May
  // wait, as stream::send.
  template <typename... A>
  void tell(std::size_t index, array_visitor<std::tuple<A...>> visitor,
            const std::type_identity_t<A>&... arguments) {
    if (!visitor.belongs_to(serial_.value())) [[unlikely]]
      detail::refuse_visitor();
    const auto at = find("tell", index);
    visits_->stream("tell").send(visitor.number(),
                                 detail::visit_message<A...>::of(at.offset, arguments...), at.pe);
  }
  // As of streams.
  void finish() { visits_->stream("finish").finish(); }
  bool poll() { return visits_->stream("poll").poll(); }
  void flush() { visits_->stream("flush").flush(); }
  void done(std::int64_t producers = 1) { visits_->stream("done").done(producers); }
  [[nodiscard]] bool on() const { return visits_->on(); }

  // --- All elements -----------------------------------------------------------------------------
  // Local. Calls `f(index, element)` for each element of the PE, in the order of the indices.
  template <typename F>
  void for_each_local(const F& f) {
    for (std::size_t i = 0; i != local_.size(); ++i) f(placement_.index_of(i), local_[i]);
  }
  // Collective. Writes the value to all elements.
  void fill(const T& value) {
    std::ranges::fill(local_, value);
    world_.barrier();
  }
  // Collective. Returns `first` and all elements combined by `op`, on all PEs. `op` is associative;
  // with blocks, elements are combined in the order of their indices, otherwise `op` is
  // commutative.
  template <typename Op, typename R>
  [[nodiscard]] R reduce(Op op, R first) {
    struct partial {
      R value;
      bool is_any;
    };
    partial here{first, false};
    for (const T& element : local_) {
      here.value = here.is_any ? R(op(here.value, R(element))) : R(element);
      here.is_any = true;
    }
    const partial all = world_.reduce(here, [&op](const partial& a, const partial& b) {
      if (!a.is_any) return b;
      return b.is_any ? partial{R(op(a.value, b.value)), true} : a;
    });
    return all.is_any ? R(op(first, all.value)) : first;
  }

  // --- Files; collective ------------------------------------------------------------------------
  // Writes the elements to a file, in the order of their indices. An existing file is replaced when
  // all elements are written. Throws on all PEs argument_error if their names differ, system_error
  // if the file cannot be written.
  void save(const std::string& name) {
    visits_->require_no_session("save");
    if (options_.layout == array_layout::cyclic) return in_blocks().save(name);
    auto file = detail::shared_file::create(world_, name, contents(size()));
    file.write(local_offset(), std::as_bytes(local_));
    file.close();
  }
  // Returns an array with the elements in a file, which any number of PEs has saved in any layout.
  // Throws on all PEs argument_error if the file holds something else or was cut short,
  // system_error if the file cannot be read.
  [[nodiscard]] static distributed_array load(const world& w, const std::string& name,
                                              const distributed_array_options& options = {}) {
    distributed_array_options in_blocks = options;
    in_blocks.layout = array_layout::block;
    auto file = detail::shared_file::open(w, name, contents(0));
    distributed_array loaded(w, file.elements(), in_blocks);
    file.read(loaded.local_offset(), std::as_writable_bytes(loaded.local_));
    file.close();
    if (options.layout == array_layout::block) return loaded;
    distributed_array result(w, loaded.size(), options);
    result.copy_from(loaded);
    return result;
  }

 private:
  // Collective. Returns the world, if all PEs give the same arguments, which can work.
  static const world& agreed(const world& w, const detail::element_placement& placement,
                             const distributed_array_options& options) {
    const bool is_cyclic = options.layout == array_layout::cyclic;
    detail::agree_on(w, detail::problem_of_array(placement, sizeof(T)),
                     "making a distributed_array", "distributed_array", "type, size or layout",
                     std::string(detail::identity_of<T>.name) + ", " +
                         std::to_string(placement.size()) + " elements, " +
                         (is_cyclic ? "cyclic" : "in blocks"));
    return w;
  }
  // Collective. Throws argument_error on all PEs if a PE has a problem, or if their functions
  // differ.
  void agree(const char* verb, const std::string& problem, std::string_view function) const {
    detail::agree_on(world_, problem, std::string(verb) + " of a distributed_array",
                     "distributed_array", "function", std::string(function));
  }

  [[nodiscard]] detail::element_location find(const char* function, std::size_t index) const {
    if (index >= placement_.size()) [[unlikely]]
      detail::refuse_index(function, index, placement_.size());
    return placement_.location(index);
  }

  template <typename F>
  auto look_up(const char* verb, std::span<const std::size_t> indices, const F& function,
               const conveyor_options& options) {
    constexpr bool can_ask = std::invocable<const F&, T&>;
    static_assert(can_ask, "the function of `ask` must be callable as function(element)");
    if constexpr (can_ask) {
      agree(verb, detail::problem_of_batch(indices, indices.size(), size()),
            verb + (" by " + std::string(detail::identity_of<F>.name)));
      return answers<std::uint64_t>(
          indices, [](std::size_t, std::uint64_t offset) { return offset; },
          [&](std::uint64_t offset) { return function(local_[offset]); }, options);
    }
  }
  template <typename F, typename A>
  auto look_up_with(std::span<const std::size_t> indices, const F& function,
                    std::span<const A> arguments, const conveyor_options& options) {
    constexpr bool can_ask = std::invocable<const F&, T&, const A&>;
    static_assert(can_ask, "the function of `ask` must be callable as function(element, argument)");
    if constexpr (can_ask) {
      struct query {
        std::uint64_t offset;
        A argument;
      };
      agree("ask", detail::problem_of_batch(indices, arguments.size(), size()),
            "ask by " + std::string(detail::identity_of<F>.name));
      return answers<query>(
          indices,
          [&](std::size_t i, std::uint64_t offset) {
            return query{offset, arguments[i]};
          },
          [&](const query& q) { return function(local_[q.offset], q.argument); }, options);
    }
  }
  // Collective. Sends make_query(i, offset) to the owner of each index, and returns the answers.
  template <typename Query, typename MakeQuery, typename Answer>
  auto answers(std::span<const std::size_t> indices, const MakeQuery& make_query,
               const Answer& answer, const conveyor_options& options) {
    using result = std::remove_cvref_t<std::invoke_result_t<const Answer&, const Query&>>;
    static_assert(!std::is_void_v<result>, "the function of `ask` must return the result");
    if constexpr (!std::is_void_v<result>) {
      std::vector<result> results(indices.size());
      const detail::element_placement placement = placement_;
      exchange<Query>(
          world_,
          [&](auto& out) {
            for (std::size_t i = 0; i != indices.size(); ++i) {
              const auto at = placement.location(indices[i]);
              out.push(make_query(i, at.offset), at.pe, i);
            }
          },
          answer, [&](const result& r, std::size_t i) { results[i] = r; }, options);
      return results;
    }
  }

  // Collective. Writes value(i) to the element with the index index(i), for each i below `count`.
  template <typename IndexOf, typename ValueOf>
  void scatter_from(std::size_t count, const IndexOf& index, const ValueOf& value,
                    const conveyor_options& options = {}) {
    using message = detail::visit_message<T>;
    const detail::element_placement placement = placement_;
    exchange<message>(
        world_,
        [&](auto& out) {
          for (std::size_t i = 0; i != count; ++i) {
            const auto at = placement.location(index(i));
            out.push(message::of(at.offset, value(i)), at.pe);
          }
        },
        [elements = local_.data()](const message& m) { elements[m.offset()] = m.first; }, options);
  }
  // Collective. Copies all elements of an array of the same size.
  void copy_from(const distributed_array& other) {
    scatter_from(
        other.local_.size(), [&](std::size_t i) { return other.placement_.index_of(i); },
        [&](std::size_t i) { return other.local_[i]; });
  }
  [[nodiscard]] distributed_array in_blocks() const {
    distributed_array result(world_, size());
    result.copy_from(*this);
    return result;
  }

  static detail::file_contents contents(std::size_t elements) {
    return {"distributed_array", detail::identity_of<T>, sizeof(T), elements, elements * sizeof(T)};
  }
  // Returns where the elements of the PE are in a file. Precondition: the layout is in blocks.
  [[nodiscard]] std::uint64_t local_offset() const {
    return local_.empty() ? 0 : placement_.index_of(0) * sizeof(T);
  }

  mutable world world_;
  distributed_array_options options_;
  detail::element_placement placement_;
  window<T> window_;
  std::span<T> local_;
  detail::movable_part<detail::element_visits> visits_;
  detail::serial_number serial_;
};

}  // namespace boxcar

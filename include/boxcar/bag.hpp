// A bag is a collection of values without an order or indices, spread over all PEs. A PE adds
// values to its own part or to those of other PEs, works on its part, and the PEs rebalance when
// their parts have become uneven. docs/arrays-and-bags.md explains bags with examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/detail/bag_balance.hpp>
#include <boxcar/detail/bag_values.hpp>
#include <boxcar/detail/collection_streams.hpp>
#include <boxcar/detail/movable_part.hpp>
#include <boxcar/detail/record_file.hpp>
#include <boxcar/error.hpp>
#include <boxcar/item.hpp>
#include <boxcar/session.hpp>
#include <boxcar/stream.hpp>
#include <boxcar/stream_options.hpp>
#include <boxcar/termination.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

// The end of a bag on one PE. Values are plain, or have a boxcar::serializer.
//
// Thread safety: a bag belongs to one thread. Errors: every function throws world_error if another
// PE has failed, and contract_error, changing nothing, if the function is not legal now.
template <typename T>
class bag {
  static_assert(detail::requires_bag_value<T>());

 public:
  using value_type = T;

  // Collective. Throws argument_error on all PEs if their types differ. `options`: of the stream
  // that carries values in sessions.
  explicit bag(const world& w, const stream_options& options = {})
      : impl_("bag", std::make_unique<impl>(w, options)) {
    detail::agree_on(w, "", "making a bag", "bag", "type",
                     std::string(detail::identity_of<T>.name));
  }

  // Movable, also during a session (the session moves with the bag). A moved-from bag may only be
  // destroyed or assigned to: other use throws contract_error.
  bag(bag&&) noexcept = default;
  bag& operator=(bag&&) noexcept = default;

  // --- The part of the PE; local ----------------------------------------------------------------
  void add(T value) { impl_->values.push_back(std::move(value)); }
  // Returns the values of the PE; valid until the part changes. In a session, arriving values
  // change the part, within any function of Boxcar that waits.
  [[nodiscard]] std::span<T> local() { return impl_->values; }
  [[nodiscard]] std::span<const T> local() const { return impl_->values; }
  [[nodiscard]] std::size_t local_size() const { return impl_->values.size(); }
  // Calls `f(value)` for each value that the PE has at the time of the call. `f` may add values;
  // meanwhile `local` has the added values only.
  template <typename F>
  void for_each_local(const F& f) {
    // The values are elsewhere meanwhile, where no addition moves them.
    std::vector<T> taken = take_local();
    try {
      for (T& value : taken) f(value);
    } catch (...) {
      put_back(std::move(taken));
      throw;
    }
    put_back(std::move(taken));
  }
  // Removes all values of the PE.
  void clear() { impl_->values.clear(); }
  // Removes all values of the PE, and returns them.
  [[nodiscard]] std::vector<T> take_local() { return std::exchange(impl_->values, {}); }

  // --- Sessions ---------------------------------------------------------------------------------
  // Collective. Starts a session, as stream::begin, in which values can be added to other PEs.
  session begin(const termination& ending = quiescence()) { return impl_->begin(ending); }
  // Local. Legal in a session, also in a handler. Adds a value to the part of a PE; the value is
  // there when the session has ended. May wait, as stream::send. Throws argument_error if the PE
  // does not exist.
  void add(const T& value, int pe) { impl_->add(value, pe); }
  void add(T&& value, int pe) { impl_->add(std::move(value), pe); }
  // As of streams.
  void finish() { impl_->stream("finish").finish(); }
  bool poll() { return impl_->stream("poll").poll(); }
  void flush() { impl_->stream("flush").flush(); }
  void done(std::int64_t producers = 1) { impl_->stream("done").done(producers); }
  [[nodiscard]] bool on() const { return impl_->is_on(); }

  // --- All values; collective, without a session ------------------------------------------------
  // Returns the number of values on all PEs.
  [[nodiscard]] std::uint64_t size() const {
    return impl_->the_world.reduce(std::uint64_t{local_size()});
  }
  // Moves values between PEs until their numbers differ by one at most; no more values move than
  // must. Returns the number of values that this PE has sent.
  std::uint64_t rebalance() {
    impl_->require_no_session("rebalance");
    return impl_->rebalance();
  }
  // Returns copies of all values on `root`, in any order; nothing on other PEs. Throws
  // argument_error on all PEs if the root does not exist or differs between PEs.
  [[nodiscard]] std::vector<T> gather(int root = 0) const {
    impl_->require_no_session("gather");
    return impl_->gather(root);
  }

  // Writes all values to a file. An existing file is replaced when all values are written. Throws
  // on all PEs argument_error if their names differ, system_error if the file cannot be written.
  void save(const std::string& name) const {
    impl_->require_no_session("save");
    detail::record_writer::save(impl_->the_world, name, "bag", detail::identity_of<T>,
                                [this](detail::record_writer& out) {
                                  if constexpr (detail::plain<T> && !std::same_as<T, bool>) {
                                    out.add_all(std::span<const T>(impl_->values));
                                  } else {
                                    for (const T& value : impl_->values) out.add(value);
                                  }
                                });
  }
  // Returns a bag with the values in a file, which any number of PEs has saved; the parts differ by
  // one value at most. Throws on all PEs argument_error if the file holds something else or was
  // changed, system_error if the file cannot be read.
  [[nodiscard]] static bag load(const world& w, const std::string& name,
                                const stream_options& options = {}) {
    bag loaded(w, options);
    detail::record_reader in(w, name, "bag", detail::identity_of<T>);
    in.for_each<T>([&](T value) { loaded.add(std::move(value)); });
    in.close();
    loaded.rebalance();
    return loaded;
  }

 private:
  void put_back(std::vector<T> taken) {
    std::vector<T> added = std::exchange(impl_->values, std::move(taken));
    for (T& value : added) impl_->values.push_back(std::move(value));
  }

  // The handler of the stream refers to the values: they stay in place when the bag moves.
  struct impl {
    impl(const world& w, const stream_options& o)
        : the_world(world::another_handle_of(w.substrate())), options(o) {}

    session begin(const termination& ending) {
      require_no_session("begin");
      if (carrier == nullptr) {
        carrier = std::make_unique<detail::bag_stream<T>>(
            the_world, [this](const auto& arrived) { this->take(arrived); }, options);
      }
      return carrier->begin(ending);
    }
    void take(const auto& arrived) {
      if constexpr (item<T>) {
        values.push_back(arrived);
      } else {
        values.push_back(detail::value_in<T>(arrived));
      }
    }
    template <typename Value>
    void add(Value&& value, int pe) {
      detail::bag_stream<T>& s = stream("add");
      if (pe == rank && s.on()) {
        values.push_back(std::forward<Value>(value));
      } else if constexpr (item<T>) {
        s.send(value, pe);
      } else {
        // (A handler that is called meanwhile may add as well, and has bytes of its own.)
        std::vector<std::byte> bytes = std::exchange(scratch, {});
        bytes.clear();
        detail::write_value<T>(bytes, value);
        s.send_array(bytes, pe);
        scratch = std::move(bytes);
      }
    }
    [[nodiscard]] detail::bag_stream<T>& stream(const char* function) const {
      if (carrier == nullptr) {
        throw contract_error(std::string(function) + ": the bag has no session: call begin first");
      }
      return *carrier;
    }
    [[nodiscard]] bool is_on() const { return carrier != nullptr && carrier->on(); }
    void require_no_session(const char* function) const {
      if (is_on()) {
        throw contract_error(std::string(function) + ": the bag has a session: call finish first");
      }
    }

    std::uint64_t rebalance() {
      const auto transfers = detail::plan_even_balance(the_world, values.size());
      std::uint64_t sent = 0;
      detail::exchange_values<T>(
          the_world,
          [&](const auto& push) {
            for (const auto& [pe, count] : transfers) {
              for (std::uint64_t i = 0; i != count; ++i) {
                push(values.back(), pe);
                values.pop_back();
              }
              sent += count;
            }
          },
          [&](T value) { values.push_back(std::move(value)); });
      return sent;
    }
    std::vector<T> gather(int root) {
      std::string problem;
      if (root < 0 || root >= the_world.size()) {
        problem = "there is no PE " + std::to_string(root) + ": the world has " +
                  std::to_string(the_world.size()) + " PEs, numbered from 0";
      }
      detail::agree_on(the_world, problem, "gather of a bag", "bag", "root", std::to_string(root));
      std::vector<T> all;
      if (rank == root) all = values;
      detail::exchange_values<T>(
          the_world,
          [&](const auto& push) {
            if (rank == root) return;
            for (const T& value : values) push(value, root);
          },
          [&](T value) { all.push_back(std::move(value)); });
      return all;
    }

    mutable world the_world;
    int rank = the_world.rank();
    stream_options options;
    std::vector<T> values;
    std::vector<std::byte> scratch;                  // for values that travel as bytes
    std::unique_ptr<detail::bag_stream<T>> carrier;  // nullptr: no session has begun yet
  };

  detail::movable_part<impl> impl_;
};

}  // namespace boxcar

// A collection is a set of objects that are spread over all PEs, have indices, and may migrate from
// PE to PE. Items are sent to an object by its index, wherever the object is: they share the
// buffers of a stream with the items to all other objects of the PE.
//
// docs/collections.md explains collections with examples. Source: tram-thesis-2014, sections 4.2,
// 7.1.2 and appendix B.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <boxcar/collection_function.hpp>
#include <boxcar/collection_mapping.hpp>
#include <boxcar/collection_options.hpp>
#include <boxcar/collection_statistics.hpp>
#include <boxcar/detail/collection_core.hpp>
#include <boxcar/detail/collection_handlers.hpp>
#include <boxcar/detail/collection_router.hpp>
#include <boxcar/detail/collection_save.hpp>
#include <boxcar/detail/collection_streams.hpp>
#include <boxcar/detail/movable_part.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/session.hpp>
#include <boxcar/stream.hpp>
#include <boxcar/termination.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

// The number of a handler for items of type Item, or for arrays of E (`E[]`). Valid on the PE, and
// for the collection, that has made the number.
template <typename Item>
struct handler_number {
  detail::owned_kind number{};
};

// The end of a collection on one PE. T is the type of the objects. T needs a boxcar::serializer, or
// is plain, because objects migrate; T needs neither a default nor a copy. Index is an integer, an
// array of 1 to 6 integers, or any plain type with a boxcar::key_hash and ==.
//
// Handlers are called as handlers of streams are, with the object that an item was sent to. Items
// from a PE to an object are delivered once and in the order of their sends, also while the object
// migrates; so are arrays. (Between items, arrays and broadcasts there is no order.)
//
// Thread safety and errors: as for streams (boxcar/stream.hpp).
template <typename T, typename Index = std::int64_t>
class collection {
  static_assert(detail::plain<Index>, "an index travels with every item: the type must be plain");
  static_assert(std::equality_comparable<Index>, "indices are compared with ==");
  static_assert(
      detail::serializable<T>,
      "objects migrate as bytes: their type must be plain, or needs a boxcar::serializer");

 public:
  // Collective. Makes an object for every index of the box, constructed in place by `make(index)`
  // on the home of the index. Throws argument_error on all PEs if the options cannot work or differ
  // between PEs, or if `make` throws on any PE.
  template <typename Make>
    requires(std::invocable<const Make&, const Index&> && detail::box_index<Index>)
  collection(const world& w, const Index& extents, const Make& make,
             const collection_options& options = {})
      : collection(w, collection_mapping<Index>::block(extents), make, options) {}
  template <typename Make>
    requires(std::invocable<const Make&, const Index&> && detail::box_index<Index>)
  collection(const world& w, const collection_mapping<Index>& mapping, const Make& make,
             const collection_options& options = {})
      : impl_("collection", std::make_unique<impl>(w, mapping, options)) {
    impl_->agree(impl_->fill(make));
  }
  // Collective. Makes a collection without objects: see `insert`.
  collection(const world& w, const collection_mapping<Index>& mapping,
             const collection_options& options = {})
      : impl_("collection", std::make_unique<impl>(w, mapping, options)) {
    impl_->agree(impl_->make_slots());
  }

  // Movable, also during a session (the session moves with the collection). A moved-from collection
  // may only be destroyed or assigned to: other use throws contract_error.
  collection(collection&&) noexcept = default;
  collection& operator=(collection&&) noexcept = default;

  // --- Handlers ---------------------------------------------------------------------------------

  // Local; called by all PEs in the same order, without a session. Adds the handler of items of a
  // type: a member function `void T::f(const Item&)`, or a callable with (T&, const Index&, const
  // Item&) or (T&, const Item&).
  template <typename Item, typename Handler>
  handler_number<Item> on_item(Handler handler) {
    static_assert(detail::requires_item<Item>);
    constexpr bool is_handler = detail::can_handle<T, Index, Item, Handler>;
    static_assert(is_handler,
                  "the handler of items to objects must be callable as handler(object, index, "
                  "item) or handler(object, item)");
    if constexpr (is_handler) {
      return {impl_->template add_item_handler<Item>(std::move(handler))};
    } else {
      return {};
    }
  }
  template <typename Item, std::same_as<T> Object>
  handler_number<Item> on_item(void (Object::*member)(const Item&)) {
    return on_item<Item, void (Object::*)(const Item&)>(member);
  }
  // The handler of arrays gets the whole array, as std::span<const E>; the handler of chunks gets
  // each chunk on arrival, as boxcar::array_chunk<E>.
  template <typename E, typename Handler>
  handler_number<E[]> on_array(Handler handler) {
    return {impl_->template add_array_handler<E, true>(std::move(handler))};
  }
  template <typename E, typename Handler>
  handler_number<E[]> on_chunk(Handler handler) {
    return {impl_->template add_array_handler<E, false>(std::move(handler))};
  }
  // Returns a function on objects, `f(T& object, arguments...)` or `f(T& object, const Index&
  // index, arguments...)`, with or without a result; `f(collection[index], arguments...)` calls the
  // function (boxcar/collection_function.hpp). Arguments and results are plain, or have a
  // boxcar::serializer. Calls with plain arguments keep the order of items of a PE to an object;
  // other calls keep the order of arrays.
  template <typename Fn>
  auto function(Fn fn) {
    if constexpr (detail::require_object_function<T, Index, Fn>()) {
      return detail::collection_function_of<T, Index, Fn>(*impl_, std::move(fn));
    }
  }
  // The handler of messages to indices without an object: called at the home as handler(index, PE
  // of the sender). Without the handler such a message is an error, and the world fails.
  void on_missing(std::function<void(const Index&, int)> handler) {
    impl_->on_missing = std::move(handler);
  }

  // --- Sessions ---------------------------------------------------------------------------------

  // Collective. Starts a session, as stream::begin. In a session that ends in stages no object may
  // migrate.
  session begin(const termination& ending = quiescence()) { return impl_->begin(ending); }
  // Collective. Starts a session that ends by counting or in stages, in which every object calls
  // `done` once.
  session begin_for_objects(termination_kind kind) {
    const auto here = static_cast<std::int64_t>(local_size());
    if (kind == termination_kind::staged) return begin(staged(here));
    if (kind == termination_kind::counting) {
      return begin(counting(static_cast<std::int64_t>(size())));
    }
    return begin();
  }
  void finish() { impl_->finish(); }
  bool poll() { return impl_->streams("poll").poll(); }
  void flush() { impl_->streams("flush").flush(); }
  void done(std::int64_t producers = 1) { impl_->streams("done").items().done(producers); }
  [[nodiscard]] bool on() const { return impl_->is_on(); }

  // --- Messages ---------------------------------------------------------------------------------

  // Local. Legal in a session, also in a handler. Sends an item to an object, for a handler or for
  // the first handler of items of the type. May wait, as stream::send. This and the other functions
  // with a handler_number throw argument_error if the number is of another collection.
  template <typename Item>
  void send(handler_number<Item> to, const Index& index, const Item& item) {
    impl_->send(to.number, index, item);
  }
  template <typename Item>
  void send(const Index& index, const Item& item) {
    impl_->send(impl_->template number_of<Item>(), index, item);
  }
  // Sends an item to every object that exists, exactly once, also while objects migrate.
  template <typename Item>
  void broadcast(handler_number<Item> to, const Item& item) {
    impl_->require_session("broadcast");
    impl_->require_own(to.number);
    impl_->streams("broadcast").await_control();
    impl_->broadcast(to.number.kind(), std::as_bytes(std::span(&item, 1)));
  }
  template <typename Item>
  void broadcast(const Item& item) {
    broadcast(handler_number<Item>{impl_->template number_of<Item>()}, item);
  }
  // Returns the destination of calls of functions.
  [[nodiscard]] object_reference<T, Index> operator[](const Index& index) {
    return object_reference<T, Index>(*impl_, index);
  }
  // Sends an array of any size in chunks.
  template <typename E>
  void send_array(handler_number<E[]> to, const Index& index,
                  std::type_identity_t<std::span<const E>> array) {
    impl_->send_array(to.number, index, std::as_bytes(array), sizeof(E));
  }

  // --- Objects ----------------------------------------------------------------------------------

  // Local. Legal in a session that does not end in stages, also in a handler. Lets an object,
  // wherever the object is, migrate to a PE. A migration within a handler takes effect when the
  // handler has returned. Of two requests for an object the PE that has the object takes the one
  // that arrives later. Throws argument_error if the PE does not exist.
  void migrate(const Index& index, int pe) { impl_->request_migration(index, pe); }

  // Local. Legal without a session. `insert` constructs an object in place by `make()` on the PE;
  // `erase` destroys an object of the PE. Other PEs may send to the object after `commit`.
  template <typename Make>
  void insert(const Index& index, const Make& make) {
    impl_->insert(index, make);
  }
  void erase(const Index& index) { impl_->erase(index); }
  // Collective. Registers what was inserted and erased. Throws argument_error on all PEs if an
  // index was inserted that exists already; then all insertions since the last `commit` are undone.
  void commit() { impl_->commit(); }

  // --- Files ------------------------------------------------------------------------------------

  // Collective. Legal without a session, after `commit`. Writes all objects and their loads to a
  // file. An existing file is replaced when all objects are on the disk. Throws on all PEs
  // argument_error if their names differ, or if a serializer throws; system_error if the file
  // cannot be written.
  void save(const std::string& name) {
    impl_->require_committed("save");
    detail::save_objects(*impl_, name);
  }
  // Collective. Returns a collection with the objects in a file, which any number of PEs with any
  // mapping has saved; each object is at its home by `mapping`. Throws on all PEs argument_error if
  // the file holds something else or was changed, or if the mapping has no home for an index;
  // system_error if the file cannot be read.
  [[nodiscard]] static collection load(const world& w, const collection_mapping<Index>& mapping,
                                       const std::string& name,
                                       const collection_options& options = {}) {
    collection loaded(w, mapping, options);
    detail::load_objects(*loaded.impl_, name);
    return loaded;
  }

  // --- The objects of the PE --------------------------------------------------------------------

  // Returns the object with the index if it is on the PE, or nullptr. Valid until the object
  // migrates, or the next call of `poll`, `finish` or a `send` outside of handlers.
  [[nodiscard]] T* local(const Index& index) {
    auto* const o = impl_->objects().find(index);
    return o == nullptr ? nullptr : &static_cast<typed&>(*o).value;
  }
  // Calls `use(index, object)` for every object that the PE has when the loop begins. In a session
  // `use` may send and migrate, as a handler may; without a session `use` may insert and erase.
  // Objects that arrive or are inserted meanwhile are not visited; objects that have left or were
  // erased before their turn are not visited either.
  template <typename Use>
  void for_each_local(const Use& use) {
    impl_->hold_objects([&] {
      for (const Index& index : impl_->objects().indices()) {
        if (T* const object = local(index)) use(index, *object);
      }
    });
  }
  [[nodiscard]] std::size_t local_size() const { return impl_->objects().size(); }
  // Collective. Returns the number of objects on all PEs.
  [[nodiscard]] std::uint64_t size() const {
    return impl_->the_world.reduce(std::uint64_t{local_size()});
  }

  // Collective. Returns the values f(index, object) of all objects combined, on all PEs; `first` if
  // there are no objects. The order of the combination is arbitrary.
  template <typename F, typename R, typename Combine = std::plus<>>
  [[nodiscard]] R reduce(const F& f, R first, Combine combine = {}) {
    struct partial {
      R value;
      bool is_any;
    };
    partial here{first, false};
    for_each_local([&](const Index& index, T& object) {
      here.value = here.is_any ? combine(here.value, f(index, object)) : f(index, object);
      here.is_any = true;
    });
    const partial all = impl_->the_world.reduce(here, [&](const partial& a, const partial& b) {
      if (!a.is_any) return b;
      return b.is_any ? partial{combine(a.value, b.value), true} : a;
    });
    return all.is_any ? combine(first, all.value) : first;
  }
  // Collective. Returns the pairs (index, f(index, object)) of all objects on `root`, in any order;
  // nothing on other PEs.
  template <typename F>
  [[nodiscard]] auto gather(const F& f, int root = 0) {
    using value = std::remove_cvref_t<std::invoke_result_t<const F&, const Index&, T&>>;
    using entry = std::pair<Index, value>;
    std::vector<std::byte> bytes;
    byte_writer out(bytes);
    for_each_local([&](const Index& index, T& object) { out.put(entry(index, f(index, object))); });
    std::vector<entry> all;
    for (const auto& part : impl_->the_world.gather(std::move(bytes), root)) {
      byte_reader in(part, "gathered values");
      while (!in.at_end()) all.push_back(in.template get<entry>());
    }
    return all;
  }

  // The load of an object, as input of `rebalance`: seconds in its handlers since the last
  // rebalance if `measure_load` is set, or the weight that was set last. Precondition: the object
  // is on the PE.
  [[nodiscard]] double load(const Index& index) const { return impl_->object_at(index).load; }
  void set_load(const Index& index, double load) {
    impl_->object_at(index).load = static_cast<float>(load);
  }

  [[nodiscard]] const collection_statistics& statistics() const { return impl_->statistics(); }
  // Returns the number of bytes on the PE that the locations of moved objects take.
  [[nodiscard]] std::size_t memory_bytes() const { return impl_->memory_bytes(); }

  [[nodiscard]] bool measures_load() const { return impl_->options.measure_load; }
  // Returns the number of bytes of an object when it migrates. Precondition: the object is on the
  // PE.
  [[nodiscard]] std::size_t packed_bytes(const Index& index) const {
    std::vector<std::byte> bytes;
    byte_writer out(bytes);
    impl_->pack(impl_->object_at(index), out);
    return bytes.size();
  }
  [[nodiscard]] world& the_world() const { return impl_->the_world; }

 private:
  using impl = detail::collection_core<T, Index>;
  using typed = detail::typed_object<T, Index>;

  detail::movable_part<impl> impl_;
};

}  // namespace boxcar

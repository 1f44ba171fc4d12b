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

#include <boxcar/collection_mapping.hpp>
#include <boxcar/collection_options.hpp>
#include <boxcar/collection_statistics.hpp>
#include <boxcar/detail/collection_handlers.hpp>
#include <boxcar/detail/collection_router.hpp>
#include <boxcar/detail/collection_streams.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/session.hpp>
#include <boxcar/stream.hpp>
#include <boxcar/termination.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

// The number of a handler for items of type Item, or for arrays of E (`E[]`).
template <typename Item>
struct handler_number {
  std::uint8_t number = 0;
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
      : impl_(std::make_unique<impl>(w, mapping, options)) {
    impl_->agree(impl_->fill(make));
  }
  // Collective. Makes a collection without objects: see `insert`.
  collection(const world& w, const collection_mapping<Index>& mapping,
             const collection_options& options = {})
      : impl_(std::make_unique<impl>(w, mapping, options)) {
    impl_->agree("");
  }

  // Movable, also during a session (the session moves with the collection). A moved-from collection
  // may only be destroyed or assigned to.
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
  bool poll() { return impl_->streams().poll(); }
  void flush() { impl_->streams().flush(); }
  void done(std::int64_t producers = 1) { impl_->streams().items().done(producers); }
  [[nodiscard]] bool on() const { return impl_->is_on(); }

  // --- Messages ---------------------------------------------------------------------------------

  // Local. Legal in a session, also in a handler. Sends an item to an object, for a handler or for
  // the first handler of items of the type. May wait, as stream::send.
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
    impl_->streams().await_control();
    impl_->broadcast(to.number, std::as_bytes(std::span(&item, 1)));
  }
  template <typename Item>
  void broadcast(const Item& item) {
    broadcast(handler_number<Item>{impl_->template number_of<Item>()}, item);
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

  // Returns the object with the index if it is on the PE, or nullptr. Valid until the object
  // migrates, or the next call of `poll`, `finish` or a `send` outside of handlers.
  [[nodiscard]] T* local(const Index& index) {
    auto* const o = impl_->objects().find(index);
    return o == nullptr ? nullptr : &static_cast<typed&>(*o).value;
  }
  // Calls `use(index, object)` for every object of the PE. In a session `use` may send and migrate,
  // as a handler may.
  template <typename Use>
  void for_each_local(const Use& use) {
    impl_->enter();
    impl_->objects().for_each(
        [&](auto& o) { use(std::as_const(o.index), static_cast<typed&>(o).value); });
    impl_->leave();
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
  using typed = detail::typed_object<T, Index>;

  struct impl final : detail::collection_router<Index> {
    using router = detail::collection_router<Index>;
    using base_object = detail::collection_object<Index>;

    impl(const world& w, const collection_mapping<Index>& mapping, const collection_options& o)
        : router(w.size(), w.rank(), mapping, o.max_locations),
          the_world(world::another_handle_of(w.substrate())),
          options(o),
          environment{*this, o.measure_load} {}

    // --- Making ---------------------------------------------------------------------------------

    // Makes the objects of the PE; returns a problem, or an empty text.
    template <typename Make>
    std::string fill(const Make& make) {
      const auto& placement = this->placement();
      if (!placement.mapping().box().box) return fill_by_function();
      for (std::uint64_t slot = 0; slot != placement.num_slots(); ++slot) {
        const Index index = placement.index_of(slot);
        try {
          this->objects().add(std::make_unique<typed>(index, [&] { return make(index); }));
        } catch (const std::exception& e) {
          return "make(" + detail::text_of_index(index) + ") threw " + e.what();
        }
      }
      return "";
    }
    static std::string fill_by_function() {
      return "objects for all indices need a box: use a block or cyclic mapping, or insert the "
             "objects";
    }
    void agree(std::string problem) {
      if (options.chunk_bytes == 0) problem = "chunk_bytes is 0: give 1 or more";
      detail::agree_on(the_world, problem, "making a collection", "collection", "options",
                       std::string(detail::identity_of<T>.name) + " by " +
                           std::string(detail::identity_of<Index>.name) + ", " +
                           this->placement().describe() + ", chunks of " +
                           std::to_string(options.chunk_bytes) + " bytes, " +
                           std::to_string(options.max_locations) + " locations");
    }

    void require_no_session(const char* operation) const {
      if (is_on()) {
        throw contract_error(std::string(operation) +
                             ": the collection has a session: call finish first");
      }
    }
    void require_session(const char* operation) const {
      if (!is_on()) {
        throw contract_error(std::string(operation) +
                             ": the collection has no session: call begin first");
      }
    }

    // --- Handlers -------------------------------------------------------------------------------

    template <typename Item, typename Handler>
    std::uint8_t add_item_handler(Handler handler) {
      const std::uint8_t number = next_number(item_handlers.size());
      item_handlers.push_back(
          std::make_unique<detail::object_item_handler<T, Index, Item, Handler>>(
              environment, number, std::move(handler)));
      item_types.push_back(&detail::identity_of<Item>);
      return number;
    }
    template <typename E, bool whole, typename Handler>
    std::uint8_t add_array_handler(Handler handler) {
      static_assert(detail::requires_item<E>);
      static_assert(!std::same_as<E, bool>, "arrays of bool have no addresses: use std::uint8_t");
      using argument = std::conditional_t<whole, std::span<const E>, array_chunk<E>>;
      static_assert(detail::can_handle<T, Index, argument, Handler>,
                    "the handler of arrays to objects must be callable as handler(object, index, "
                    "array) or handler(object, array)");
      const std::uint8_t number = next_number(array_handlers.size());
      array_handlers.push_back(
          std::make_unique<detail::object_array_handler<T, Index, E, whole, Handler>>(
              std::move(handler)));
      return number;
    }
    std::uint8_t next_number(std::size_t handlers) {
      require_no_session("adding a handler");
      if (handlers == 256) throw contract_error("a collection has at most 256 handlers of a kind");
      parts.reset();
      return static_cast<std::uint8_t>(handlers);
    }
    template <typename Item>
    [[nodiscard]] std::uint8_t number_of() const {
      for (std::size_t i = 0; i != item_types.size(); ++i) {
        if (item_types[i] == &detail::identity_of<Item>) return static_cast<std::uint8_t>(i);
      }
      throw contract_error("send: the collection has no handler of items of type " +
                           std::string(detail::identity_of<Item>.name) + ": call on_item first");
    }

    // --- Sessions -------------------------------------------------------------------------------

    session begin(const termination& ending) {
      require_no_session("begin");
      if (!inserted.empty() || !erased.empty()) {
        throw contract_error("begin: " + std::to_string(inserted.size()) +
                             " objects inserted and " + std::to_string(erased.size()) +
                             " erased: call commit first");
      }
      ensure_streams();
      may_migrate = ending.kind != termination_kind::staged;
      this->start_session(*parts, may_migrate);
      parts->begin(ending);
      return session(parts->items());
    }
    void finish() { streams().finish(); }
    [[nodiscard]] bool is_on() const { return parts != nullptr && parts->on(); }
    [[nodiscard]] detail::collection_streams& streams() const {
      if (parts == nullptr) require_session("this function");
      return *parts;
    }
    // Makes the streams for the handlers that there are. Collective.
    void ensure_streams() {
      if (parts != nullptr) return;
      if (item_handlers.empty()) add_item_handler<std::byte>([](T&, std::byte) {});
      std::string described;
      std::vector<detail::message_kind> kinds;
      for (const auto& h : item_handlers) {
        kinds.push_back(h->kind());
        described += std::string(kinds.back().type.name) + ", ";
      }
      for (const auto& h : array_handlers) described += h->describe() + ", ";
      detail::agree_on(the_world, "", "begin", "collection", "handlers", described);
      parts = std::make_unique<detail::collection_streams>(
          the_world, std::move(kinds), options.stream,
          [this](std::span<const std::byte> bytes) { this->take(bytes); });
    }

    // --- Messages -------------------------------------------------------------------------------

    template <typename Item>
    void send(std::uint8_t number, const Index& index, const Item& item) {
      if (const int pe = quick_destination(index); pe >= 0) [[likely]] {
        using message_type = detail::item_message<Index, Item>;
        const auto write = [&](std::byte* place) {
          message_type::write(place, item, index, static_cast<std::uint32_t>(the_rank));
        };
        if (parts->items().template try_write<sizeof(message_type)>(number, pe, write)) [[likely]]
          return;
      }
      send_slowly(number, index, std::as_bytes(std::span(&item, 1)));
    }
    // Returns the PE to which an item for the object is sent, or -1 if that takes longer.
    [[nodiscard, gnu::always_inline]] int quick_destination(const Index& index) {
      if constexpr (std::integral<Index>) {
        const std::uint64_t number = this->placement().block_number(index);
        if (number < this->num_at_home()) [[likely]]
          return this->placement().scaled_home(number);
      }
      return parts == nullptr ? -1 : this->destination(index);
    }
    // Sends an item after waiting for room. The destination is looked up after each wait: the PE
    // may have learned another one meanwhile, and nothing must follow the probe to the old one.
    [[gnu::noinline]] void send_slowly(std::uint8_t number, const Index& index,
                                       std::span<const std::byte> item) {
      require_session("send");
      const detail::routed_message<Index> m{.what = detail::routed_kind::item,
                                            .kind = number,
                                            .source = the_rank,
                                            .index = index,
                                            .payload = {item.begin(), item.end()}};
      int pe = this->destination(index);
      for (int before = -1; pe >= 0 && pe != before; pe = this->destination(index)) {
        parts->items().await_room(pe);
        before = pe;
      }
      if (pe < 0) return this->send_routed(m);
      parts->send_without_waiting([&](auto&) { send_item(m, pe); });
    }
    void send_array(std::uint8_t number, const Index& index, std::span<const std::byte> array,
                    std::size_t element) {
      require_session("send_array");
      const std::size_t chunk = std::max(options.chunk_bytes / element, std::size_t{1}) * element;
      const std::uint64_t array_number = arrays_sent++;
      std::size_t offset = 0;
      do {
        const auto piece = array.subspan(offset, std::min(chunk, array.size() - offset));
        detail::routed_message<Index> m{.what = detail::routed_kind::array_chunk,
                                        .kind = number,
                                        .source = the_rank,
                                        .index = index};
        byte_writer out(m.payload);
        out.put(detail::chunk_head{array_number, offset, array.size()});
        out.put_bytes(piece);
        parts->await_control();
        this->send_routed(std::move(m));
        offset += piece.size();
      } while (offset < array.size());
    }
    void request_migration(const Index& index, int pe) {
      require_session("migrate");
      if (!may_migrate) {
        throw contract_error(
            "migrate: this session ends in stages, and no object may migrate: "
            "begin the session with `quiescence` or `counting`");
      }
      if (pe < 0 || pe >= the_world.size()) {
        throw argument_error("migrate to PE " + std::to_string(pe) + ": the world has " +
                             std::to_string(the_world.size()) + " PEs, numbered from 0");
      }
      parts->await_control();
      this->migrate(index, pe);
    }

    // --- Objects --------------------------------------------------------------------------------

    template <typename Make>
    void insert(const Index& index, const Make& make) {
      require_no_session("insert");
      if (this->objects().find(index) != nullptr) {
        throw contract_error("insert: index " + detail::text_of_index(index) +
                             " exists already on this PE");
      }
      const int home = this->placement().home(index);
      if (home < 0 || home >= the_world.size()) {
        throw argument_error("insert: index " + detail::text_of_index(index) +
                             " has no home by the mapping of the collection");
      }
      auto made = std::make_unique<typed>(index, [&] { return make(); });
      made->broadcasts = this->broadcasts();
      this->objects().add(std::move(made));
      inserted.push_back(index);
    }
    void erase(const Index& index) {
      require_no_session("erase");
      if (this->objects().find(index) == nullptr) {
        throw contract_error("erase: index " + detail::text_of_index(index) +
                             " is not on this PE: the PE that has the object erases it");
      }
      this->objects().remove(index);
      const auto found = std::ranges::find(inserted, index);
      if (found != inserted.end()) {
        inserted.erase(found);
      } else {
        erased.push_back(index);
      }
    }
    void commit() {
      require_no_session("commit");
      const auto tell_homes = [&](const std::vector<Index>& indices, const auto& note) {
        stream<commitment> s(the_world, [&](const commitment& c) { note(c.index, c.pe); });
        const session scope = s.begin();
        for (const Index& index : indices) {
          s.send({index, the_rank}, this->placement().home(index));
        }
        s.finish();
      };
      tell_homes(erased, [&](const Index& index, int) { this->note_removed(index); });
      std::string problem;
      std::unordered_set<Index, detail::container_hash<Index>> new_here;
      tell_homes(inserted, [&](const Index& index, int pe) {
        const bool is_here = this->objects().find(index) != nullptr;
        const bool is_new = new_here.insert(index).second;
        if (!is_new || this->is_registered(index) || (is_here && pe != the_rank)) {
          problem = "commit: index " + detail::text_of_index(index) + " was inserted on PE " +
                    std::to_string(pe) + ", and exists already";
        } else if (pe != the_rank) {
          registered.push_back(index);
          this->note_inserted(index, pe);
        }
      });
      erased.clear();
      try {
        detail::agree_on(the_world, problem, "commit", "collection", "indices", "");
      } catch (...) {
        for (const Index& index : inserted) this->objects().remove(index);
        for (const Index& index : registered) this->note_removed(index);
        inserted.clear();
        registered.clear();
        throw;
      }
      inserted.clear();
      registered.clear();
    }
    [[nodiscard]] base_object& object_at(const Index& index) const {
      base_object* const o = this->objects().find(index);
      if (o == nullptr) {
        throw argument_error("index " + detail::text_of_index(index) + " is not on this PE");
      }
      return *o;
    }

    // --- The router's calls ---------------------------------------------------------------------

    void call_item(std::uint8_t kind, base_object& o, std::span<const std::byte> item) override {
      item_handlers.at(kind)->call(o, item);
    }
    void call_array(std::uint8_t kind, base_object& o, int source,
                    std::span<const std::byte> chunk) override {
      array_handlers.at(kind)->call(o, source, chunk);
    }
    void pack(const base_object& o, byte_writer& out) const override {
      if constexpr (detail::serializable<T>) out.put(static_cast<const typed&>(o).value);
    }
    std::unique_ptr<base_object> unpack(const Index& index, byte_reader& in) override {
      if constexpr (detail::serializable<T>) {
        return std::make_unique<typed>(index, [&] { return in.get<T>(); });
      } else {
        return nullptr;
      }
    }
    void call_missing(const Index& index, int source) override {
      if (on_missing) return on_missing(index, source);
      throw contract_error("PE " + std::to_string(source) + " has sent to index " +
                           detail::text_of_index(index) +
                           " of a collection, which does not exist: insert the object first, or "
                           "set a handler by on_missing");
    }
    void send_item_probe(const Index& index, int pe) override {
      item_handlers.front()->send_probe(parts->items(), index, the_rank, pe);
    }
    void send_item(const detail::routed_message<Index>& m, int pe) override {
      item_handlers.at(m.kind)->send(parts->items(), m, pe);
    }

    struct commitment {
      Index index;
      int pe;
    };

    mutable world the_world;
    int the_rank = the_world.rank();
    collection_options options;
    detail::handler_environment<Index> environment;
    std::vector<std::unique_ptr<detail::object_item_handler_base<Index>>> item_handlers;
    std::vector<const detail::type_identity*> item_types;
    std::vector<std::unique_ptr<detail::object_array_handler_base<Index>>> array_handlers;
    std::function<void(const Index&, int)> on_missing;
    std::unique_ptr<detail::collection_streams> parts;  // nullptr: handlers were added since
    bool may_migrate = true;
    std::uint64_t arrays_sent = 0;
    std::vector<Index> inserted;  // since the last commit
    std::vector<Index> erased;
    std::vector<Index> registered;  // at this home, in the current commit
  };

  std::unique_ptr<impl> impl_;
};

}  // namespace boxcar

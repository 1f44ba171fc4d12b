// The collection core is the implementation of a collection on one PE: the handlers, the streams
// and their sessions, and the objects that are inserted and erased.
#pragma once

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

#include <boxcar/collection_options.hpp>
#include <boxcar/detail/collection_handlers.hpp>
#include <boxcar/detail/collection_router.hpp>
#include <boxcar/detail/collection_streams.hpp>
#include <boxcar/detail/remote_asks.hpp>
#include <boxcar/detail/requirements.hpp>
#include <boxcar/detail/serial_number.hpp>
#include <boxcar/error.hpp>
#include <boxcar/session.hpp>
#include <boxcar/stream.hpp>
#include <boxcar/termination.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

// The receiver of the replies of one function on objects.
class reply_receiver {
 public:
  virtual ~reply_receiver() = default;
  // `word`: the ticket of the ask, with flags.
  virtual void receive(std::uint32_t word, byte_reader& in) = 0;
};

[[noreturn]] void refuse_object_of_another_collection();
[[noreturn]] void refuse_handler_of_another_collection();

template <typename T, typename Index>
class collection_core final : public collection_router<Index>, public reply_session {
 public:
  using typed = typed_object<T, Index>;
  using router = collection_router<Index>;
  using base_object = collection_object<Index>;

  collection_core(const world& w, const collection_mapping<Index>& mapping,
                  const collection_options& o)
      : router(w.size(), w.rank(), mapping, o.max_locations),
        the_world(world::another_handle_of(w.substrate())),
        options(o),
        environment{*this, o.measure_load} {}

  // --- Making ---------------------------------------------------------------------------------

  // Makes the memory for the objects whose home is the PE; returns a problem, or an empty text.
  std::string make_slots() {
    try {
      this->objects().make_slots();
      return "";
    } catch (const std::exception&) {
      return "a mapping of " + std::to_string(this->placement().mapping().box().count()) +
             " indices, of which a PE has no memory for " +
             std::to_string(this->placement().num_slots()) +
             ": give fewer indices, or a mapping without a box, such as `hashed`, and insert the "
             "objects";
    }
  }
  // Makes the objects of the PE; returns a problem, or an empty text.
  template <typename Make>
  std::string fill(const Make& make) {
    const auto& placement = this->placement();
    if (!placement.mapping().box().box) return fill_by_function();
    if (std::string problem = make_slots(); !problem.empty()) return problem;
    for (std::uint64_t slot = 0; slot != placement.num_slots(); ++slot) {
      const Index index = placement.index_of(slot);
      try {
        this->objects().add(std::make_unique<typed>(index, [&] { return make(index); }));
      } catch (const std::exception& e) {
        return "make(" + text_of_index(index) + ") threw " + e.what();
      } catch (...) {
        return "make(" + text_of_index(index) + ") threw something that is no std::exception";
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
    agree_on(the_world, problem, "making a collection", "collection", "options",
             std::string(identity_of<T>.name) + " by " + std::string(identity_of<Index>.name) +
                 ", " + this->placement().describe() + ", chunks of " +
                 std::to_string(options.chunk_bytes) + " bytes, " +
                 std::to_string(options.max_locations) + " locations");
  }

  void require_no_session(const char* operation) const {
    if (is_on()) {
      throw contract_error(std::string(operation) +
                           ": the collection has a session: call finish first");
    }
  }
  void require_committed(const char* operation) const {
    require_no_session(operation);
    if (inserted.empty() && erased.empty()) return;
    throw contract_error(std::string(operation) + ": " + std::to_string(inserted.size()) +
                         " objects inserted and " + std::to_string(erased.size()) +
                         " erased: call commit first");
  }
  void require_session(const char* operation) const {
    if (!is_on()) {
      throw contract_error(std::string(operation) +
                           ": the collection has no session: call begin first");
    }
  }

  // --- Handlers -------------------------------------------------------------------------------

  template <typename Item, typename Handler>
  owned_kind add_item_handler(Handler handler) {
    const std::uint8_t number = next_number(item_handlers.size());
    item_handlers.push_back(std::make_unique<object_item_handler<T, Index, Item, Handler>>(
        environment, number, std::move(handler)));
    item_types.push_back(&identity_of<Item>);
    return {owner, number};
  }
  template <typename E, bool whole, typename Handler>
  owned_kind add_array_handler(Handler handler) {
    static_assert(requires_item<E>);
    static_assert(!std::same_as<E, bool>, "arrays of bool have no addresses: use std::uint8_t");
    using argument = std::conditional_t<whole, std::span<const E>, array_chunk<E>>;
    static_assert(can_handle<T, Index, argument, Handler>,
                  "the handler of arrays to objects must be callable as handler(object, index, "
                  "array) or handler(object, array)");
    const std::uint8_t number = next_number(array_handlers.size());
    array_handlers.push_back(
        std::make_unique<object_array_handler<T, Index, E, whole, Handler>>(std::move(handler)));
    return {owner, number};
  }
  std::uint8_t next_number(std::size_t handlers) {
    require_no_session("adding a handler");
    if (handlers == 256) throw contract_error("a collection has at most 256 handlers of a kind");
    parts.reset();
    this->streams_are_gone();
    return static_cast<std::uint8_t>(handlers);
  }
  template <typename Item>
  [[nodiscard]] owned_kind number_of() const {
    for (std::size_t i = 0; i != item_types.size(); ++i) {
      if (item_types[i] == &identity_of<Item>) return {owner, static_cast<std::uint8_t>(i)};
    }
    throw contract_error("send: the collection has no handler of items of type " +
                         std::string(identity_of<Item>.name) + ": call on_item first");
  }
  void require_own(owned_kind number) const {
    if (number.owner() != owner) refuse_handler_of_another_collection();
  }

  // --- Sessions -------------------------------------------------------------------------------

  session begin(const termination& ending) {
    require_committed("begin");
    ensure_streams();
    may_migrate = ending.kind != termination_kind::staged;
    this->start_session(*parts, may_migrate);
    parts->begin(ending, !reply_receivers.empty());
    return session(parts->items());
  }
  void finish() { streams("finish").finish(); }
  [[nodiscard]] bool is_on() const { return parts != nullptr && parts->on(); }
  // Returns the streams for an operation, which needs a session.
  [[nodiscard]] collection_streams& streams(const char* operation) const {
    if (parts == nullptr) require_session(operation);
    return *parts;
  }
  // Makes the streams for the handlers that there are. Collective.
  void ensure_streams() {
    if (parts != nullptr) return;
    if (item_handlers.empty()) add_item_handler<std::byte>([](T&, std::byte) {});
    std::string described;
    std::vector<message_kind> kinds;
    for (const auto& h : item_handlers) {
      kinds.push_back(h->kind());
      described += std::string(kinds.back().type.name) + ", ";
    }
    for (const auto& h : array_handlers) described += h->describe() + ", ";
    described += functions;
    agree_on(the_world, "", "begin", "collection", "handlers", described);
    parts = std::make_unique<collection_streams>(
        the_world, std::move(kinds), options.stream,
        [this](std::span<const std::byte> bytes) { this->handle_control(bytes); });
    parts->items().set_owner(owner);
    parts->set_purpose("a collection of " + std::string(identity_of<T>.name));
  }

  // --- Messages -------------------------------------------------------------------------------

  template <typename Item>
  void send(owned_kind number, const Index& index, const Item& item) {
    int pe = 0;
    if (!goes_home(index, pe)) [[unlikely]] {
      const Index copy = index;  // `index` stays in a register
      pe = parts == nullptr ? -1 : this->destination(copy);
      if (pe < 0) return send_copy_slowly(number, index, item);
    }
    using message_type = item_message<Index, Item>;
    const auto write = [&](std::byte* place) {
      message_type::write(place, item, index, static_cast<std::uint32_t>(the_rank));
    };
    if (!parts->items().template try_write<sizeof(message_type)>(number, pe, write)) [[unlikely]]
      send_copy_slowly(number, index, item);
  }
  // (By value: without addresses, index and item stay in registers of the client's loop.)
  template <typename Item>
  [[gnu::noinline]] void send_copy_slowly(owned_kind number, Index index, Item item) {
    send_slowly(number, index, std::as_bytes(std::span(&item, 1)));
  }
  // Returns whether an item for the object is certainly sent to the home `pe` of the index. There
  // are streams if so.
  [[nodiscard, gnu::always_inline]] bool goes_home(const Index& index, int& pe) const {
    if constexpr (std::integral<Index>) {
      const std::uint64_t number = this->placement().block_number(index);
      pe = this->placement().scaled_home(number);
      return number < this->num_at_home();
    } else {
      return false;
    }
  }
  // Sends an item after waiting for room. The destination is looked up after each wait: the PE
  // may have learned another one meanwhile, and nothing must follow the probe to the old one.
  [[gnu::noinline]] void send_slowly(owned_kind number, const Index& index,
                                     std::span<const std::byte> item) {
    require_session("send");
    require_own(number);
    const routed_message<Index> m{.what = routed_kind::item,
                                  .kind = number.kind(),
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
  // (The index by value: handlers may be called between two chunks, and objects leave.)
  void send_array(owned_kind number, const Index index, std::span<const std::byte> array,
                  std::size_t element) {
    require_session("send_array");
    require_own(number);
    const std::size_t chunk = std::max(options.chunk_bytes / element, std::size_t{1}) * element;
    const std::uint64_t array_number = arrays_sent++;
    std::size_t offset = 0;
    do {
      const auto piece = array.subspan(offset, std::min(chunk, array.size() - offset));
      routed_message<Index> m{.what = routed_kind::array_chunk,
                              .kind = number.kind(),
                              .source = the_rank,
                              .index = index};
      byte_writer out(m.payload);
      out.put(chunk_head{array_number, offset, array.size()});
      out.put_bytes(piece);
      parts->await_control();
      this->send_routed(std::move(m));
      offset += piece.size();
    } while (offset < array.size());
  }
  // (The index by value: handlers may be called before the request, and objects leave.)
  void request_migration(const Index index, int pe) {
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

  // --- Replies of functions on objects --------------------------------------------------------

  std::uint8_t add_reply_receiver(std::unique_ptr<reply_receiver> receiver) {
    const std::uint8_t number = next_number(reply_receivers.size());
    reply_receivers.push_back(std::move(receiver));
    return number;
  }
  // Sends a reply, which `write(writer)` writes, to the receiver with the number on a PE.
  template <typename Write>
  void reply(int pe, std::uint8_t number, std::uint32_t word, const Write& write) {
    reply_bytes.clear();
    byte_writer out(reply_bytes);
    out.put(control_kind::reply);
    out.put(number);
    out.put(word);
    write(out);
    parts->send_control(reply_bytes, pe);  // calls no handler, which might reply as well
  }
  void wait_until(bool (*is_over)(const void* what), const void* what) override {
    collection_streams::require_may_wait();
    while (!is_over(what)) {
      if (parts == nullptr || !parts->may_get_replies()) {
        throw contract_error(
            "the wait for a result of a function on an object: the collection has no session any "
            "more");
      }
      parts->poll_replies();
    }
  }

  // --- Objects --------------------------------------------------------------------------------

  // Calls `use()`, which holds references to objects: migrations wait for its end, also if `use`
  // throws. (Handlers need no such care: if a handler throws, the world fails.)
  template <typename Use>
  void hold_objects(const Use& use) {
    this->enter();
    try {
      use();
    } catch (...) {
      this->leave();
      throw;
    }
    this->leave();
  }
  template <typename Make>
  void insert(const Index& index, const Make& make) {
    require_no_session("insert");
    if (this->objects().find(index) != nullptr) {
      throw contract_error("insert: index " + text_of_index(index) + " exists already on this PE");
    }
    const int home = this->placement().home(index);
    if (home < 0 || home >= the_world.size()) {
      throw argument_error("insert: index " + text_of_index(index) +
                           " has no home by the mapping of the collection");
    }
    auto made = std::make_unique<typed>(index, [&] { return make(); });
    made->broadcasts = this->broadcasts();
    this->objects().add(std::move(made));
    inserted.push_back(index);
  }
  // (The index by value: it may be a part of the object.)
  void erase(const Index index) {
    require_no_session("erase");
    if (this->objects().find(index) == nullptr) {
      throw contract_error("erase: index " + text_of_index(index) +
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
    const auto notify_homes = [&](const std::vector<Index>& indices, const auto& note) {
      stream<commitment> s(the_world, [&](const commitment& c) { note(c.index, c.pe); });
      const session scope = s.begin();
      for (const Index& index : indices) {
        s.send({index, the_rank}, this->placement().home(index));
      }
      s.finish();
    };
    notify_homes(erased, [&](const Index& index, int) { this->note_removed(index); });
    std::string problem;
    std::unordered_set<Index, container_hash<Index>> new_here;
    notify_homes(inserted, [&](const Index& index, int pe) {
      const bool is_here = this->objects().find(index) != nullptr;
      const bool is_new = new_here.insert(index).second;
      if (!is_new || this->is_registered(index) || (is_here && pe != the_rank)) {
        problem = "commit: index " + text_of_index(index) + " was inserted on PE " +
                  std::to_string(pe) + ", and exists already";
      } else if (pe != the_rank) {
        registered.push_back(index);
        this->note_inserted(index, pe);
      }
    });
    erased.clear();
    try {
      agree_on(the_world, problem, "commit", "collection", "indices", "");
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
      throw argument_error("index " + text_of_index(index) + " is not on this PE");
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
  // (Inlined where the bytes begin empty, GCC 12 warns of copies of 2^64 bytes.)
  [[gnu::noinline]] void pack(const base_object& o, byte_writer& out) const override {
    if constexpr (serializable<T>) out.put(static_cast<const typed&>(o).value);
  }
  std::unique_ptr<base_object> unpack(const Index& index, byte_reader& in) override {
    if constexpr (serializable<T>) {
      return std::make_unique<typed>(index, [&] { return in.get<T>(); });
    } else {
      return nullptr;
    }
  }
  [[nodiscard]] static bool is_among(const std::vector<std::uint8_t>& numbers, std::uint8_t one) {
    return std::ranges::find(numbers, one) != numbers.end();
  }
  // (An ask needs an answer, which on_missing does not give.)
  void call_missing(const routed_message<Index>& m) override {
    const bool is_ask = m.what == routed_kind::item
                            ? is_among(item_asks, m.kind)
                            : m.what == routed_kind::array_chunk && is_among(array_asks, m.kind);
    if (on_missing && !is_ask) return on_missing(m.index, m.source);
    throw contract_error("PE " + std::to_string(m.source) +
                         (is_ask ? " has asked index " : " has sent to index ") +
                         text_of_index(m.index) + " of a collection, which does not exist: " +
                         (is_ask ? "insert the object first"
                                 : "insert the object first, or set a handler by on_missing"));
  }
  void send_item_probe(const Index& index, int pe) override {
    item_handlers.front()->send_probe(parts->items(), index, the_rank, pe);
  }
  void receive_reply(byte_reader& in) override {
    const auto number = in.get<std::uint8_t>();
    reply_receivers.at(number)->receive(in.get<std::uint32_t>(), in);
  }
  void send_item(const routed_message<Index>& m, int pe) override {
    item_handlers.at(m.kind)->send(parts->items(), m, pe);
  }

  struct commitment {
    Index index;
    int pe;
  };

  mutable world the_world;
  int the_rank = the_world.rank();
  const std::uint64_t owner = serial_number().value();  // of the numbers of handlers
  collection_options options;
  handler_environment<Index> environment;
  std::vector<std::unique_ptr<object_item_handler_base<Index>>> item_handlers;
  std::vector<const type_identity*> item_types;
  std::vector<std::unique_ptr<object_array_handler_base<Index>>> array_handlers;
  std::vector<std::unique_ptr<reply_receiver>> reply_receivers;
  std::vector<std::byte> reply_bytes;   // of the reply being sent
  std::string functions;                // on objects, in the order of their numbers
  std::vector<std::uint8_t> item_asks;  // handlers of functions with a result, called by items
  std::vector<std::uint8_t> array_asks;
  std::function<void(const Index&, int)> on_missing;
  std::unique_ptr<collection_streams> parts;  // nullptr: handlers were added since
  bool may_migrate = true;
  std::uint64_t arrays_sent = 0;
  std::vector<Index> inserted;  // since the last commit
  std::vector<Index> erased;
  std::vector<Index> registered;  // at this home, in the current commit
};

}  // namespace boxcar::detail

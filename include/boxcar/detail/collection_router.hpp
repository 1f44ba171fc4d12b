// The router of a collection on one PE: brings messages to objects that migrate, once and in the
// order of their sends.
//
// A message to an object goes to the PE where the source last knew the object, or to the home of
// the index. A PE that does not have the object forwards the message: to where the object went from
// this PE in the session, or to the home; the home knows where an object came to rest. The PE that
// has the object tells the source of a forwarded message the location (tram-thesis-2014, section
// 4.2, items 6 and 7).
//
// Order. Streams keep the order of messages between two PEs, and a PE that forwards messages for an
// object does not change their next PE during the session, with two exceptions, which both wait
// until the messages on the old path have been delivered:
// - A source that learns a location sends a probe along the old path, and holds its messages until
//   the PE with the object acknowledges the probe.
// - When an object comes to a PE that has forwarded messages for the object in the session, the PE
//   sends a probe along that path. Until the probe comes back, other messages to the object wait,
//   and the object does not migrate again. Messages that have passed the PE do not wait.
// There is no circle of waits: probes of the second kind wait nowhere, and those of the first kind
// only for them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/collection_statistics.hpp>
#include <boxcar/detail/broadcast_log.hpp>
#include <boxcar/detail/collection_objects.hpp>
#include <boxcar/detail/collection_streams.hpp>
#include <boxcar/detail/departure_list.hpp>
#include <boxcar/detail/forwarding_records.hpp>
#include <boxcar/detail/index_text.hpp>
#include <boxcar/detail/learned_locations.hpp>
#include <boxcar/error.hpp>

namespace boxcar::detail {

template <typename Index>
class collection_router {
 public:
  using object = collection_object<Index>;
  using message = routed_message<Index>;

  collection_router(int pes, int me, collection_mapping<Index> mapping, std::size_t max_learned)
      : pes_(pes),
        me_(me),
        placement_(std::move(mapping), pes, me),
        objects_(placement_),
        learned_(max_learned) {}
  collection_router(const collection_router&) = delete;
  collection_router& operator=(const collection_router&) = delete;
  virtual ~collection_router() = default;

  [[nodiscard]] const collection_placement<Index>& placement() const { return placement_; }
  [[nodiscard]] collection_objects<Index>& objects() { return objects_; }
  [[nodiscard]] const collection_objects<Index>& objects() const { return objects_; }
  [[nodiscard]] const collection_statistics& statistics() const { return statistics_; }
  [[nodiscard]] std::size_t memory_bytes() const {
    return learned_.memory_bytes() + records_.memory_bytes();
  }

  // --- Sending ----------------------------------------------------------------------------------

  // Items for indices whose number is below the result go to the `scaled_home` of the placement:
  // those of a block mapping, while there are streams and the PE has learned no location.
  [[nodiscard]] std::uint64_t num_at_home() const { return num_at_home_; }
  void streams_are_gone() { num_at_home_ = 0; }

  // Returns the PE to which an item for the object is sent, or -1 if the item is to be routed
  // (`send_routed`).
  [[nodiscard]] int destination(const Index& index) {
    if (!learned_.empty()) {
      if (learned_location<Index>* const l = learned_.find(index)) {
        l->is_used = true;
        return l->acknowledgements == 0 ? l->pe : -1;
      }
    }
    return placement_.home(index);
  }

  // Precondition of all sending functions: the caller is a handler, or has called
  // collection_streams::await_control; nothing is handled between a decision and the send.

  // Sends a message over the control stream, or holds the message while the location of the object
  // changes. Items come here only if `destination` returned -1. Throws argument_error if the index
  // is outside of the box.
  void send_routed(message m) {
    int pe = placement_.home(m.index);
    if (pe < 0) refuse_index(m.index);
    if (pe >= pes_) refuse_home(m.index, pe);
    if (learned_location<Index>* const l = learned_.find(m.index)) {
      l->is_used = true;
      if (l->acknowledgements != 0) return hold(*l, std::move(m));
      pe = l->pe;
    }
    send(m, pe);
  }

  // Asks for the migration of an object to `pe`, wherever the object is.
  void migrate(const Index& index, int pe) {
    if (object* const o = objects_.find(index)) {
      o->migrate_to = pe;
      ask_to_depart(index);
      return;
    }
    message m{.what = routed_kind::migration, .source = me_, .index = index};
    byte_writer(m.payload).put(std::int32_t{pe});
    send_routed(std::move(m));
  }

  // --- Sessions ---------------------------------------------------------------------------------

  // `streams` carry the messages of the session; `may_migrate`: objects migrate in the session, and
  // so the PE changes the destinations of its messages.
  void start_session(collection_streams& streams, bool may_migrate) {
    streams_ = &streams;
    may_migrate_ = may_migrate;
    learned_.make_room();
    num_at_home_ = learned_.empty() ? placement_.num_scaled() : 0;
    records_.start_session([this](const Index& index) { return placement_.home(index) == me_; });
    broadcasts_.start_session();
  }

  // Handles a control message.
  void handle_control(std::span<const std::byte> bytes) {
    byte_reader in(bytes, "a message of a collection");
    switch (in.get<control_kind>()) {
      case control_kind::routed:
        return deliver(message::read(in));
      case control_kind::object:
        return arrive(in);
      case control_kind::acknowledgement:
        return acknowledged(location_message<Index>::read(in));
      case control_kind::location:
        return learn(location_message<Index>::read(in));
      case control_kind::registration:
        return note_registration(location_message<Index>::read(in));
      case control_kind::broadcast_request:
        return number_broadcast(in);
      case control_kind::broadcast:
        return handle_broadcast(in);
      case control_kind::reply:
        return receive_reply(in);
    }
    throw contract_error("a message of a collection has an unknown kind");
  }

  // Handles an item that arrived directly from its source and cannot be delivered at once, or a
  // probe of the source.
  void handle_item(message m) { deliver(std::move(m)); }

  // Sends an item to every object.
  void broadcast(std::uint8_t kind, std::span<const std::byte> item) {
    std::vector<std::byte> bytes;
    byte_writer out(bytes);
    out.put(control_kind::broadcast_request);
    out.put(kind);
    out.put_bytes(item);
    streams_->send_control(bytes, 0);
  }

  // --- Objects ----------------------------------------------------------------------------------

  // Called around code of the program that holds references to objects: migrations wait for its
  // end.
  void enter() { departures_.hold(); }
  void leave() {
    departures_.release();
    if (!departures_.is_held()) settle_departures();
  }
  [[nodiscard]] departure_list<Index>& departures() { return departures_; }
  // Returns whether arriving items may be probes. A source sends a probe to a PE which, in the same
  // session, has forwarded the message of the source that made the source learn a location.
  [[nodiscard]] bool may_get_probes() const { return records_.any_used(); }
  // Lets the objects migrate that were asked to. Precondition: no reference to an object is held.
  void settle_departures() {
    while (!departures_.empty()) {
      const Index index = departures_.take();
      object* const o = objects_.find(index);
      // (An object that waits is asked again when its probe has come back.)
      if (o == nullptr || o->migrate_to < 0 || o->waits()) continue;
      const int to = std::exchange(o->migrate_to, -1);
      if (to != me_) depart(*o, to);
    }
  }

  // For objects that are inserted or removed between sessions: the home notes where the object is.
  void note_inserted(const Index& index, int pe) { records_.set(index, pe, 0); }
  void note_removed(const Index& index) { records_.take(index); }
  [[nodiscard]] bool is_registered(const Index& index) const { return records_.contains(index); }
  [[nodiscard]] std::uint64_t broadcasts() const { return broadcasts_.last(); }

 protected:
  // Calls the handler of an item, array chunk or broadcast.
  virtual void call_item(std::uint8_t kind, object& o, std::span<const std::byte> item) = 0;
  virtual void call_array(std::uint8_t kind, object& o, int source,
                          std::span<const std::byte> chunk) = 0;
  virtual void pack(const object& o, byte_writer& out) const = 0;
  [[nodiscard]] virtual std::unique_ptr<object> unpack(const Index& index, byte_reader& in) = 0;
  // Called at the home for a message to a missing object.
  virtual void call_missing(const message& m) = 0;
  // Sends a probe as an item message, behind the items of the PE to `pe`.
  virtual void send_item_probe(const Index& index, int pe) = 0;
  // Sends a held item.
  virtual void send_item(const message& m, int pe) = 0;
  virtual void receive_reply(byte_reader& in) = 0;

 private:
  [[noreturn]] void refuse_index(const Index& index) const {
    throw argument_error("index " + text_of_index(index) + " is outside of the collection's box, " +
                         placement_.extents() + " indices from 0");
  }
  [[noreturn]] void refuse_home(const Index& index, int pe) const {
    throw argument_error("the mapping gives PE " + std::to_string(pe) + " for index " +
                         text_of_index(index) + ": the world has " + std::to_string(pes_) +
                         " PEs, numbered from 0");
  }

  [[noreturn]] static void refuse_mapping(const Index& index) {
    throw argument_error("the mapping gives different homes on different PEs for index " +
                         text_of_index(index) + ": a mapping must depend on the index alone");
  }

  // --- The source -------------------------------------------------------------------------------

  void send(const message& m, int pe) {
    if (m.what == routed_kind::item && m.path.empty()) return send_item(m, pe);
    std::vector<std::byte> bytes;
    byte_writer out(bytes);
    out.put(control_kind::routed);
    m.write(out);
    streams_->send_control(bytes, pe);
  }

  void hold(learned_location<Index>& l, message&& m) {
    constexpr std::size_t max_held = std::size_t{1} << 16;
    ++statistics_.held;
    l.waiting.push_back(std::move(m));
    // The awaited acknowledgement arrives while the PE makes progress.
    if (!streams_->make_progress()) return;
    streams_->wait_until([&l] { return l.waiting.size() <= max_held; });
  }

  void learn(const location_message<Index>& at) {
    if (!may_migrate_) return;
    learned_location<Index>* l = learned_.find(at.index);
    if (l == nullptr) {
      const int home = placement_.home(at.index);
      if (home == at.pe) return;
      l = learned_.add(at.index);
      if (l == nullptr) return;
      num_at_home_ = 0;
      l->pe = home;
    } else if (at.epoch <= l->epoch || l->acknowledgements != 0) {
      return;
    }
    l->is_used = true;
    l->epoch = at.epoch;
    if (l->pe == at.pe) return;
    ++statistics_.learned;
    // Items and control messages have each an order of their own.
    l->acknowledgements = 2;
    l->next_epoch = 0;
    send_item_probe(at.index, l->pe);
    send({.what = routed_kind::probe, .source = me_, .index = at.index}, l->pe);
    streams_->flush_what_waits();
  }

  void acknowledged(const location_message<Index>& at) {
    learned_location<Index>* const l = learned_.find(at.index);
    if (l == nullptr || l->acknowledgements == 0) {
      throw contract_error("a probe for index " + text_of_index(at.index) +
                           " was acknowledged twice");
    }
    if (at.epoch >= l->next_epoch) {
      l->next_epoch = at.epoch;
      l->next_pe = at.pe;
    }
    if (--l->acknowledgements != 0) return;
    l->pe = l->next_pe;
    l->epoch = l->next_epoch;
    for (const message& m : std::exchange(l->waiting, {})) send(m, l->pe);
  }

  // --- The PEs on the way -----------------------------------------------------------------------

  void deliver(message&& m) {
    object* const o = objects_.find(m.index);
    if (o == nullptr) return forward(std::move(m));
    if (o->waits() && !m.has_passed(me_)) {
      ++statistics_.held;
      o->extend().waiting.push_back(std::move(m));
      return;
    }
    if (!m.path.empty() && m.what <= routed_kind::array_chunk) notify_source(m, *o);
    switch (m.what) {
      case routed_kind::item:
        enter();
        call_item(m.kind, *o, m.payload);
        return leave();
      case routed_kind::array_chunk:
        enter();
        call_array(m.kind, *o, m.source, m.payload);
        return leave();
      case routed_kind::probe:
        return acknowledge(m, *o);
      case routed_kind::return_probe:
        if (!o->waits()) throw contract_error("a probe of a collection has come back twice");
        return stop_waiting(*o);
      case routed_kind::migration: {
        byte_reader in(m.payload, "a request to migrate");
        o->migrate_to = in.get<std::int32_t>();
        return ask_to_depart(o->index);
      }
    }
  }

  void forward(message&& m) {
    std::optional<int> next = records_.use(m.index);
    if (!next) {
      const int home = placement_.home(m.index);
      if (home == me_) {
        if (m.what != routed_kind::probe) return call_missing(m);
        return acknowledge(m.source, {.index = m.index, .pe = me_, .epoch = 0});
      }
      // A PE that is no home has forwarded the message as if it were.
      if (m.has_passed(home)) refuse_mapping(m.index);
      records_.set(m.index, home, 0);
      next = records_.use(m.index);
    }
    m.path.push_back(me_);
    ++statistics_.forwarded;
    send(m, *next);
    streams_->flush_what_waits();
  }

  void acknowledge(const message& probe, const object& o) {
    acknowledge(probe.source, {.index = o.index, .pe = me_, .epoch = o.epoch});
  }
  void acknowledge(int source, const location_message<Index>& at) {
    send_location(control_kind::acknowledgement, at, source);
  }

  // Tells the source of a forwarded message where the object is, once for each epoch as far as a
  // memory of fixed size goes.
  void notify_source(const message& m, const object& o) {
    const std::uint64_t who =
        mix_bits(key_hash<Index>()(m.index) + static_cast<unsigned>(m.source));
    const std::uint64_t key = mix_bits(who + o.epoch) | 1;  // not 0, for nothing
    std::uint64_t& last = notified_[who % notified_.size()];
    if (last == key) return;
    last = key;
    send_location(control_kind::location, {.index = o.index, .pe = me_, .epoch = o.epoch},
                  m.source);
  }

  void send_location(control_kind kind, const location_message<Index>& at, int pe) {
    std::vector<std::byte> bytes;
    byte_writer out(bytes);
    out.put(kind);
    at.write(out);
    streams_->send_control(bytes, pe);
    streams_->flush_what_waits();
  }

  // At the home.
  void note_registration(const location_message<Index>& at) {
    if (objects_.find(at.index) != nullptr) return;  // has come home meanwhile
    records_.update(at);
  }

  // --- Migration --------------------------------------------------------------------------------

  void ask_to_depart(const Index& index) {
    departures_.add(index);
    if (!departures_.is_held()) settle_departures();
  }

  void depart(object& o, int pe) {
    std::vector<std::byte> bytes;
    byte_writer out(bytes);
    out.put(control_kind::object);
    out.put(o.index);
    out.put(o.epoch + 1);
    out.put(o.broadcasts);
    out.put(o.load);
    const bool has_arrays = o.more != nullptr && !o.more->arrays.empty();
    out.put(std::uint64_t{has_arrays ? o.more->arrays.size() : 0});
    if (has_arrays) {
      for (const auto& [key, assembly] : o.more->arrays) {
        out.put(key.first);
        out.put(key.second);
        assembly.write(out);
      }
    }
    pack(o, out);
    streams_->send_control(bytes, pe);
    ++statistics_.migrations;
    statistics_.migrated_bytes += bytes.size();
    const Index index = o.index;
    records_.set(index, pe, o.epoch + 1);
    objects_.remove(index);
  }

  void arrive(byte_reader& in) {
    const auto index = in.get<Index>();
    const auto epoch = in.get<std::uint64_t>();
    const auto broadcasts = in.get<std::uint64_t>();
    const auto load = in.get<float>();
    std::map<std::pair<int, std::uint64_t>, array_assembly> arrays;
    for (auto left = in.get<std::uint64_t>(); left != 0; --left) {
      const auto source = in.get<int>();
      const auto number = in.get<std::uint64_t>();
      arrays.emplace(std::pair(source, number), array_assembly::read(in));
    }
    object& o = objects_.add(unpack(index, in));
    in.expect_end();
    o.epoch = epoch;
    o.broadcasts = broadcasts;
    o.load = load;
    if (!arrays.empty()) o.extend().arrays = std::move(arrays);

    const auto record = records_.take(index);
    if (record && record->is_used) {
      o.extend().waits = true;
      send({.what = routed_kind::return_probe, .source = me_, .index = index, .path = {me_}},
           record->next);
      streams_->flush_what_waits();
    }
    const int home = placement_.home(index);
    if (home != me_) {
      send_location(control_kind::registration, {.index = index, .pe = me_, .epoch = epoch}, home);
    }
    enter();
    while (o.broadcasts < broadcasts_.last()) {
      const broadcast_log::entry& b = broadcasts_.after(o.broadcasts);
      ++o.broadcasts;
      call_item(b.kind, o, b.item);
    }
    leave();
  }

  void stop_waiting(object& o) {
    o.more->waits = false;
    const Index index = o.index;
    for (message& m : std::exchange(o.more->waiting, {})) deliver(std::move(m));
    object* const still = objects_.find(index);
    if (still == nullptr) return;
    still->drop_empty_extension();
    if (still->migrate_to < 0) return;
    ask_to_depart(index);
  }

  // --- Broadcasts -------------------------------------------------------------------------------

  // PE 0 gives broadcasts their numbers: all PEs get them in the same order.
  void number_broadcast(byte_reader& in) {
    std::vector<std::byte> bytes;
    byte_writer out(bytes);
    out.put(control_kind::broadcast);
    out.put_bytes(in.get_rest());
    streams_->broadcast_control(bytes);
  }

  void handle_broadcast(byte_reader& in) {
    const auto kind = in.get<std::uint8_t>();
    const broadcast_log::entry& b = broadcasts_.add(kind, in.get_rest());
    enter();
    objects_.for_each([&](object& o) {
      if (o.broadcasts >= broadcasts_.last()) return;
      o.broadcasts = broadcasts_.last();
      call_item(kind, o, b.item);
    });
    leave();
  }

  int pes_;
  int me_;
  collection_placement<Index> placement_;
  collection_objects<Index> objects_;
  learned_locations<Index> learned_;
  std::uint64_t num_at_home_ = 0;
  forwarding_records<Index> records_;
  departure_list<Index> departures_;
  bool may_migrate_ = true;
  collection_streams* streams_ = nullptr;
  std::array<std::uint64_t, 256> notified_{};
  broadcast_log broadcasts_;
  collection_statistics statistics_;
};

}  // namespace boxcar::detail

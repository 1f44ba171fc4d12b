// The handlers of a collection: what is called for an item or an array at the object.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boxcar/detail/collection_router.hpp>
#include <boxcar/detail/plain_value.hpp>

namespace boxcar {

// A chunk of an array to an object.
template <typename E>
struct array_chunk {
  std::span<const E> elements;
  std::uint64_t first = 0;  // the position of the first element in the array
  std::uint64_t total = 0;  // elements of the array
  int source = 0;           // the PE that sent the array
};

namespace detail {

// An object with its value, constructed in place by a function.
template <typename T, typename Index>
struct typed_object final : collection_object<Index> {
  template <typename Make>
  typed_object(const Index& at, const Make& make) : collection_object<Index>(at), value(make()) {}
  T value;
};

// Calls a handler in the forms that a client may write: handler(object, index, item),
// handler(object, item), or a member function of the object.
template <typename T, typename Index, typename Item, typename Handler>
inline constexpr bool can_handle = std::is_invocable_v<Handler&, T&, const Index&, const Item&> ||
                                   std::is_invocable_v<Handler&, T&, const Item&>;

template <typename T, typename Index, typename Item, typename Handler>
void call_handler(Handler& handler, T& object, const Index& index, const Item& item) {
  if constexpr (std::is_invocable_v<Handler&, T&, const Index&, const Item&>) {
    std::invoke(handler, object, index, item);
  } else {
    std::invoke(handler, object, item);
  }
}

// The environment of the handlers of a collection on a PE.
template <typename Index>
struct handler_environment {
  static constexpr std::uint32_t interval = 16;

  collection_router<Index>& router;
  bool measures;  // the load of objects, by one item of `interval`
  std::uint32_t left = interval;

  // Returns whether the next call is measured.
  [[nodiscard]] bool is_due() {
    if (!measures || --left != 0) return false;
    left = interval;
    return true;
  }
};

template <typename Index>
class object_item_handler_base {
 public:
  virtual ~object_item_handler_base() = default;
  [[nodiscard]] virtual message_kind kind() = 0;
  virtual void call(collection_object<Index>& o, std::span<const std::byte> item) = 0;
  virtual void send(dispatch_stream& items, const routed_message<Index>& m, int pe) const = 0;
  virtual void send_probe(dispatch_stream& items, const Index& index, int source, int pe) const = 0;
};

template <typename T, typename Index, typename Item, typename Handler>
class object_item_handler final : public object_item_handler_base<Index> {
 public:
  using message = item_message<Index, Item>;
  using object = typed_object<T, Index>;

  object_item_handler(handler_environment<Index>& environment, std::uint8_t number, Handler handler)
      : environment_(environment), number_(number), handler_(std::move(handler)) {}

  [[nodiscard]] message_kind kind() override {
    return {.bytes = sizeof(message),
            .alignment = 1,
            .receiver = this,
            .handle =
                [](void* self, const message_run& run) {
                  static_cast<object_item_handler*>(self)->handle(run);
                },
            .type = identity_of<message>};
  }
  void call(collection_object<Index>& o, std::span<const std::byte> item) override {
    if (item.size() != sizeof(Item))
      throw contract_error("an item of a collection has a wrong size");
    call_with<true>(static_cast<object&>(o), o.index, plain_value<Item>(item.data()));
  }
  void send(dispatch_stream& items, const routed_message<Index>& m, int pe) const override {
    message out;
    std::memcpy(out.item, m.payload.data(), sizeof out.item);
    std::memcpy(out.index, &m.index, sizeof out.index);
    std::memcpy(out.source, &m.source, sizeof out.source);
    items.send(number_, out, pe);
  }
  void send_probe(dispatch_stream& items, const Index& index, int source, int pe) const override {
    message out{};
    const std::uint32_t word = static_cast<std::uint32_t>(source) | message::probe_bit;
    std::memcpy(out.index, &index, sizeof out.index);
    std::memcpy(out.source, &word, sizeof out.source);
    items.send(number_, out, pe);
  }

 private:
  void handle(const message_run& run) {
    collection_router<Index>& router = environment_.router;
    // Objects that fit into the caches need no prefetching.
    constexpr std::size_t few = std::size_t{1} << 18;
    const bool many = router.objects().size() > few / sizeof(object);
    router.enter();
    if (environment_.measures || router.may_get_probes()) {
      handle_all<true, true>(run);
    } else if (many) {
      handle_all<true, false>(run);
    } else {
      handle_all<false, false>(run);
    }
    router.leave();
  }

  // `asks_all`: objects may be measured, and items may be probes.
  template <bool prefetches, bool asks_all>
  void handle_all(const message_run run) {
    departure_list<Index>& departures = environment_.router.departures();
    const auto objects = environment_.router.objects().view();
    constexpr std::size_t ahead = 12;
    const std::byte* const end = run.first + run.count * run.stride;
    const std::byte* place = run.first;
    do {
      departures.set_end_of_run(end);
      do {
        if constexpr (prefetches) {
          const std::size_t left = static_cast<std::size_t>(end - place);
          if (left > 2 * ahead * run.stride) {
            objects.prefetch_slot(index_in(place + 2 * ahead * run.stride));
            objects.prefetch_object(index_in(place + ahead * run.stride));
          }
        }
        const auto& m = *reinterpret_cast<const message*>(place);
        const auto index = value_in<Index>(m.index);
        collection_object<Index>& o = objects.find_or_absent(index);
        if (o.more != nullptr || (asks_all && is_probe(m))) [[unlikely]] {
          handle_slowly(m);
        } else {
          call_with<asks_all>(static_cast<object&>(o), index, value_in<Item>(m.item));
        }
        place += run.stride;
      } while (place < departures.end_of_run());
      if (departures.is_due_in_run()) environment_.router.settle_departures();
    } while (place != end);
  }
  static Index index_in(const std::byte* place) {
    return value_in<Index>(reinterpret_cast<const message*>(place)->index);
  }
  static bool is_probe(const message& m) {
    return (value_in<std::uint32_t>(m.source) & message::probe_bit) != 0;
  }

  [[gnu::noinline]] void handle_slowly(const message& m) {
    const auto source = value_in<std::uint32_t>(m.source);
    routed_message<Index> r{.what = is_probe(m) ? routed_kind::probe : routed_kind::item,
                            .kind = number_,
                            .source = static_cast<int>(source & ~message::probe_bit),
                            .index = value_in<Index>(m.index)};
    if (!is_probe(m)) r.payload.assign(std::begin(m.item), std::end(m.item));
    environment_.router.handle_item(std::move(r));
  }

  template <bool measures>
  [[gnu::always_inline]] void call_with(object& o, const Index& index, const Item& item) {
    if (!measures || !environment_.is_due()) [[likely]]
      return call_handler<T, Index, Item>(handler_, o.value, index, item);
    const auto before = std::chrono::steady_clock::now();
    call_handler<T, Index, Item>(handler_, o.value, index, item);
    const std::chrono::duration<float> took = std::chrono::steady_clock::now() - before;
    o.load += took.count() * static_cast<float>(handler_environment<Index>::interval);
  }

  handler_environment<Index>& environment_;
  std::uint8_t number_;
  Handler handler_;
};

// The head of a chunk of an array, in front of its elements.
struct chunk_head {
  std::uint64_t array = 0;  // number of the array among those of the source
  std::uint64_t offset = 0;
  std::uint64_t total = 0;  // bytes of the array
};

template <typename Index>
class object_array_handler_base {
 public:
  virtual ~object_array_handler_base() = default;
  [[nodiscard]] virtual std::string describe() const = 0;
  virtual void call(collection_object<Index>& o, int source, std::span<const std::byte> chunk) = 0;
};

// `whole`: the handler gets whole arrays, std::span<const E>; otherwise chunks, array_chunk<E>.
template <typename T, typename Index, typename E, bool whole, typename Handler>
class object_array_handler final : public object_array_handler_base<Index> {
 public:
  explicit object_array_handler(Handler handler) : handler_(std::move(handler)) {}

  [[nodiscard]] std::string describe() const override {
    return std::string(identity_of<E>.name) + (whole ? "[]" : "[] in chunks");
  }
  void call(collection_object<Index>& o, int source, std::span<const std::byte> bytes) override {
    byte_reader in(bytes, "an array to an object");
    const auto head = in.get<chunk_head>();
    const auto chunk = in.get_rest();
    if (chunk.size() > head.total || head.offset > head.total - chunk.size() ||
        head.total % sizeof(E) != 0 || head.offset % sizeof(E) != 0 ||
        chunk.size() % sizeof(E) != 0) {
      throw contract_error("a chunk of an array to an object does not lie within the array");
    }
    T& value = static_cast<typed_object<T, Index>&>(o).value;
    if constexpr (!whole) {
      const std::vector<E> elements = copy_of(chunk);
      const array_chunk<E> c{.elements = elements,
                             .first = head.offset / sizeof(E),
                             .total = head.total / sizeof(E),
                             .source = source};
      call_handler<T, Index, array_chunk<E>>(handler_, value, o.index, c);
    } else if (chunk.size() == head.total) {
      const std::vector<E> elements = copy_of(chunk);
      call_handler<T, Index, std::span<const E>>(handler_, value, o.index, elements);
    } else {
      assemble(o, {source, head.array}, head, chunk);
    }
  }

 private:
  static std::vector<E> copy_of(std::span<const std::byte> bytes) {
    std::vector<E> elements(bytes.size() / sizeof(E));
    if (!bytes.empty()) std::memcpy(elements.data(), bytes.data(), bytes.size());
    return elements;
  }

  void assemble(collection_object<Index>& o, const std::pair<int, std::uint64_t>& key,
                const chunk_head& head, std::span<const std::byte> chunk) {
    array_assembly& a = o.extend().arrays[key];
    a.bytes.resize(head.total);
    std::memcpy(a.bytes.data() + head.offset, chunk.data(), chunk.size());
    a.received += chunk.size();
    if (a.received != head.total) return;
    const std::vector<E> elements = copy_of(a.bytes);
    o.more->arrays.erase(key);
    o.drop_empty_extension();
    T& value = static_cast<typed_object<T, Index>&>(o).value;
    call_handler<T, Index, std::span<const E>>(handler_, value, o.index, elements);
  }

  Handler handler_;
};

}  // namespace detail
}  // namespace boxcar

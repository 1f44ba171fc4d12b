// An array stream is the untyped end of a stream of arrays on one PE. An array lies in a buffer as
// a whole. An array larger than a buffer stays with the sender (rendezvous), in memory from which
// the receiver fetches the array, and a ticket travels in place of the array: so the array keeps
// the place in the order, and is copied once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <boxcar/detail/stream_core.hpp>

namespace boxcar::detail {

class large_items;

class array_stream : public stream_core {
 public:
  array_stream(const world& w, const stream_item_format& element, const stream_options& options);
  ~array_stream() override;

  void send(std::span<const std::byte> array, int pe);
  void broadcast(std::span<const std::byte> array);

 protected:
  virtual void handle(std::span<const std::byte> array) = 0;

 private:
  bool work_off(arrived_items& a) final;
  bool ready_to_end() final;
  void buffers_changed() final;
  bool put_up(std::vector<std::byte>& array, std::uint32_t to, std::uint32_t& size_word) final;

  void send_large(std::span<const std::byte> array, int pe);
  // Returns the packet that travels in the place of a large array; nothing if there is no room for
  // the array now.
  std::optional<std::vector<std::byte>> ticket_for(std::span<const std::byte> array,
                                                   std::uint32_t to);
  void put(std::uint32_t link, std::span<const std::byte> payload, std::uint32_t word,
           std::uint32_t size_word);
  bool pass_on(std::uint32_t link, std::span<const std::byte> payload, std::uint32_t word,
               std::uint32_t size_word);
  bool pass_on_to_all(int stage, std::span<const std::byte> payload, std::uint32_t size_word);
  void store(std::uint32_t link, std::span<const std::byte> payload, std::uint32_t word,
             std::uint32_t size_word);
  // Returns false if there was no room.
  bool work_off_one(arrived_items& a);
  void deliver(std::span<const std::byte> payload, bool is_ticket);

  std::size_t alignment_;
  std::size_t largest_in_buffer_ = 0;
  std::unique_ptr<large_items> large_;
  std::vector<std::byte> aligned_;  // a copy of an array that lies at an address without the
                                    // alignment
};

template <typename T, typename Handler>
class handled_array_stream final : public array_stream {
 public:
  handled_array_stream(const world& w, Handler handler, const stream_options& options)
      : array_stream(w,
                     {.item_bytes = sizeof(T),
                      .arrays = true,
                      .alignment = alignof(T),
                      .type = identity_of<T>},
                     options),
        handler_(std::move(handler)) {}

 private:
  void handle(std::span<const std::byte> array) override {
    handler_(
        std::span<const T>(reinterpret_cast<const T*>(array.data()), array.size() / sizeof(T)));
  }

  Handler handler_;
};

}  // namespace boxcar::detail

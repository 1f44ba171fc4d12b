// A request to a PE of another node (rpc_engine.hpp), and its format: a short form if the numbers
// are small, as in most requests. The headers of an MPI and of Boxcar and eight bytes of data then
// fill a single cache line, the cost of the message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "substrate/mailbox.hpp"

namespace boxcar::detail {

// Values of `request::place` beside places for replies. A request whose place is `data_by_ticket`
// has a ticket in the place of its data, and no reply. A reply to the place p + `reply_by_ticket`
// is a ticket for place p. (large_data.hpp)
inline constexpr std::int32_t data_by_ticket = -2;
inline constexpr std::int32_t reply_by_ticket = reply_places;

// Each kind of object defines operations, and the use of the numbers.
struct request {
  std::uint64_t object = 0;  // its number in the world; 0: the engine itself
  std::uint32_t operation = 0;
  std::int32_t place = no_reply;
  std::uint64_t at = 0;
  std::uint64_t elements = 0;
  std::uint64_t stride = 0;
  std::uint64_t counter = 0;  // counts the execution of the request; 0: none
};

// The bytes of a request ahead of its data. (Constructed where the fields are written down: the
// compiler evaluates most of the code.)
class written_request {
 public:
  written_request(const request& r) {
    constexpr auto most = std::numeric_limits<std::uint16_t>::max();
    const bool is_short =
        (r.object | r.counter | r.at) <= std::numeric_limits<std::uint32_t>::max() &&
        (r.elements | r.stride | r.operation) <= most;
    if (is_short) {
      forms_.brief = {.form = brief_form,
                      .place = static_cast<std::int8_t>(r.place),
                      .operation = static_cast<std::uint16_t>(r.operation),
                      .object = static_cast<std::uint32_t>(r.object),
                      .counter = static_cast<std::uint32_t>(r.counter),
                      .at = static_cast<std::uint32_t>(r.at),
                      .elements = static_cast<std::uint16_t>(r.elements),
                      .stride = static_cast<std::uint16_t>(r.stride)};
      bytes_ = sizeof(brief_request);
    } else {
      forms_.whole = {.form = whole_form, .unused = {}, .numbers = {}};
      std::memcpy(forms_.whole.numbers, &r, sizeof r);
      bytes_ = sizeof(whole_request);
    }
  }
  // Sets the place where the PE waits for a reply.
  void set_place(std::int32_t place) {
    if (bytes_ == sizeof(brief_request)) {
      forms_.brief.place = static_cast<std::int8_t>(place);
    } else {
      std::memcpy(reinterpret_cast<std::byte*>(forms_.whole.numbers) + offsetof(request, place),
                  &place, sizeof place);
    }
  }
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return std::as_bytes(std::span(&forms_, 1)).first(bytes_);
  }

  // Removes a request from the front of a message. Returns false if the message is too short. The
  // caller checks the place.
  [[nodiscard]] static bool take(std::span<const std::byte>& message, request& r) {
    const bool is_brief =
        !message.empty() && static_cast<std::uint8_t>(message.front()) == brief_form;
    if (message.size() < (is_brief ? sizeof(brief_request) : sizeof(whole_request))) return false;
    if (is_brief) {
      brief_request b;
      std::memcpy(&b, message.data(), sizeof b);
      r = {.object = b.object,
           .operation = b.operation,
           .place = b.place,
           .at = b.at,
           .elements = b.elements,
           .stride = b.stride,
           .counter = b.counter};
      message = message.subspan(sizeof b);
    } else {
      std::memcpy(&r, message.data() + offsetof(whole_request, numbers), sizeof r);
      message = message.subspan(sizeof(whole_request));
    }
    return true;
  }

  static constexpr std::size_t most_bytes() { return sizeof(whole_request); }

 private:
  static constexpr std::uint8_t brief_form = 0;
  static constexpr std::uint8_t whole_form = 1;
  static_assert(reply_by_ticket + reply_places <= std::numeric_limits<std::int8_t>::max());

  struct brief_request {
    std::uint8_t form;
    std::int8_t place;
    std::uint16_t operation;
    std::uint32_t object;
    std::uint32_t counter;
    std::uint32_t at;
    std::uint16_t elements;
    std::uint16_t stride;
  };
  struct whole_request {
    std::uint8_t form;
    std::uint8_t unused[3];
    std::uint32_t numbers[sizeof(request) / sizeof(std::uint32_t)];
  };

  union {
    brief_request brief;
    whole_request whole;
  } forms_;
  std::size_t bytes_;
};

// The maximum size of the data of a request.
inline constexpr std::size_t request_data_bytes = message_bytes - written_request::most_bytes();

}  // namespace boxcar::detail

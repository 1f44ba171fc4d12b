// Mailboxes carry active messages, few and small, between PEs of different nodes: requests for
// execution by the target, and the replies. The target executes the requests of one PE in the order
// in which they were sent. The memory of a PE for its mailbox does not grow with the number of PEs,
// but for a few bytes for each peer.
//
// The sender of a request waits while too many requests are in flight to the target. A reply never
// waits for its receiver: the receiver has a place for the reply, and names the place in the
// request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace boxcar::detail {

// The maximum size of a request or a reply. Every MPI sends 4096 bytes eagerly, enough for a
// message and the header of the MPI: the message arrives though its sender calls MPI no more.
inline constexpr std::size_t message_bytes = 3968;
// The maximum number of requests of a PE with outstanding replies.
inline constexpr int reply_places = 16;
inline constexpr int no_reply = -1;
inline constexpr int unknown_sender = -1;

// The callbacks for arrived messages.
class mail_reader {
 public:
  // Returns false if the request cannot be executed yet: the request and all requests behind it
  // come again with the next poll.
  virtual bool take_request(int from, std::span<const std::byte> message) = 0;
  // `from` is the PE that has replied, or unknown_sender, where PEs write replies into memory.
  virtual void take_reply(int from, int place, std::span<const std::byte> message) = 0;

 protected:
  ~mail_reader() = default;
};

// The mailbox of one PE in a world. Functions are local.
class mailbox {
 public:
  virtual ~mailbox() = default;

  // Sends `head` and `body` as one message; the caller may overwrite both on return. The PE waits
  // for a reply in its place `place`, or for no reply. Returns false if there is no room: the
  // caller must then poll, and send the message before any other message to `to`.
  [[nodiscard]] virtual bool send(int to, std::span<const std::byte> head,
                                  std::span<const std::byte> body, int place) = 0;
  // Reserves room for the next request to `to`. True: the caller then sends the request before any
  // other request to `to`. False: there is no room now, and the mailbox has reserved none, so that
  // the caller may leave the mailbox alone without blocking other senders.
  [[nodiscard]] virtual bool try_reserve(int to) = 0;
  // Returns true if there is room for a reply.
  [[nodiscard]] virtual bool can_reply() = 0;
  // Replies to a request with the reply place `place`, once.
  virtual void reply(int to, int place, std::span<const std::byte> message) = 0;
  // Hands arrived messages to the reader; returns false if no message has arrived.
  virtual bool poll(mail_reader& reader) = 0;
};

}  // namespace boxcar::detail
